import FiefRealm
import XCTest

class One: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var value = 0
}

final class ObjectSchemaTextTests: XCTestCase {
  func testSubscript() {
    let schema = One().objectSchema
    XCTAssertNil(schema["missing"])
    XCTAssertEqual(schema["value"]!.name, "value")
    XCTAssertEqual(schema.primaryKeyProperty!.name, "id")
    XCTAssertEqual(schema.className, One.className())
    XCTAssertTrue(schema.description.contains("value"))
    XCTAssertEqual(schema.objectClass == One.self, true)
  }
}
