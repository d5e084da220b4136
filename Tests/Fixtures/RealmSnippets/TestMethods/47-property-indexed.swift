import FiefRealm
import XCTest

class Indexed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var link: Indexed?
}

final class PropertyTests: XCTestCase {
  func testIndexed() {
    let schema = Indexed.sharedSchema()!
    let link: Property = schema["link"]!
    XCTAssertFalse(link.isIndexed)
    XCTAssertTrue(schema["id"]!.isIndexed)
    XCTAssertEqual(link, schema.properties.last!)
    XCTAssertEqual(link.type.rawValue, PropertyType.object.rawValue)
    XCTAssertTrue(link.description.contains("link"))
  }
}
