import FiefRealm
import XCTest

class Texts: Object {
  @Persisted var values: List<String>
  @Persisted var optionals: List<Int?>
}

final class PrimitiveListTests: XCTestCase {
  func testFirst() {
    let object = Texts()
    object.values.append(objectsIn: ["a", "b"])
    XCTAssertEqual(object.values.first, "a")
    object.values.removeAll()
    XCTAssertNil(object.values.first)
    object.optionals.append(nil)
    XCTAssertEqual(object.optionals.first, .some(nil))
    XCTAssertEqual(object.optionals.index(of: nil), 0)
  }
}
