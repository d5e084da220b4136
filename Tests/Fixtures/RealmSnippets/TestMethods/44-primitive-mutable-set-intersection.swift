import FiefRealm
import XCTest

class Sets: Object {
  @Persisted var first: MutableSet<Int>
  @Persisted var second: MutableSet<Int>
}

final class PrimitiveSetTests: XCTestCase {
  func testIntersection() {
    let object = Sets()
    object.first.insert(objectsIn: [1, 2, 3])
    object.second.insert(2)
    XCTAssertTrue(object.second.isSubset(of: object.first))
    object.first.formIntersection(object.second)
    XCTAssertEqual(Int(1), object.first.count)
    XCTAssertEqual(object.first.sum(), 2)
    XCTAssertEqual(object.first[0], 2)
  }
}
