import FiefRealm
import XCTest

class Schematic: Object {
  @Persisted var flag: Bool
  @Persisted var number: Int?
  @Persisted(indexed: true) var text: String
  @Persisted var link: Schematic?
  @Persisted var set: MutableSet<Double>
}

final class InitializationTests: XCTestCase {
  func testTypes() {
    let schema = Schematic().objectSchema
    XCTAssertNil(schema["missing"])
    let flag = schema["flag"]
    XCTAssertEqual(flag!.type, PropertyType.bool)
    XCTAssertFalse(flag!.isIndexed)
    XCTAssertNil(flag!.objectClassName)
    XCTAssertEqual(schema["number"]!.type, .int)
    XCTAssertTrue(schema["number"]!.isOptional)
    XCTAssertEqual(schema["link"]!.objectClassName, "Schematic")
    XCTAssertTrue(schema["set"]!.isSet)
  }
}
