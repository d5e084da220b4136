import FiefRealm
import XCTest

class Values: Object {
  @Persisted var bool: Bool
  @Persisted var double: Double
  @Persisted var optional: String?
  @Persisted var link: Values?
}

final class UnmanagedAccessorTests: XCTestCase {
  func testAccess() {
    let object = Values()
    object.bool = true
    object.double = .infinity
    XCTAssertTrue(object["bool"] as! Bool)
    object["optional"] = "x"
    object["optional"] = nil
    XCTAssertNil(object.optional)
    object["link"] = Values(value: ["bool": true])
    XCTAssertEqual((object["link"] as! Values).bool, true)
    object.setValue(2.5, forKey: "double")
    XCTAssertEqual(object.value(forKey: "double") as? Double, 2.5)
  }
}
