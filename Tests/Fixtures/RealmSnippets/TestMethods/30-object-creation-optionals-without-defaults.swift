import FiefRealm
import XCTest

class Optionals: Object {
  @Persisted var text: String?
  @Persisted var number: Int?
  @Persisted var date: Date?
}

final class OptionalTests: XCTestCase {
  func testNil() {
    let object = Optionals()
    for property in object.objectSchema.properties {
      XCTAssertNil(object[property.name])
      XCTAssertTrue(property.isOptional)
    }
    let given = Optionals(value: ["text": NSNull(), "number": 3])
    XCTAssertNil(given.text)
  }
}
