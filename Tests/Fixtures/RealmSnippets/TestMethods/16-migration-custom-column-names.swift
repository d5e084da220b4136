import FiefRealm
import XCTest

class Vessel: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var mate: Vessel?
  override class func propertiesMapping() -> [String: String] { ["name": "vessel_name"] }
}

final class MigrationTests: XCTestCase {
  func testColumns() throws {
    var configuration = Realm.Configuration(inMemoryIdentifier: name, schemaVersion: 1)
    configuration.migrationBlock = { migration, oldVersion in
      var count = 0
      migration.enumerateObjects(ofType: Vessel.className()) { old, new in
        XCTAssertEqual(old!["vessel_name"] as! String, new!["name"] as! String)
        new!["name"] = "renamed"
        let mate: MigrationObject? = new!["mate"] as? MigrationObject
        XCTAssertNil(mate)
        count += 1
      }
      XCTAssertEqual(count, 1)
      XCTAssertEqual(oldVersion, 0)
    }
    _ = try Realm(configuration: configuration)
  }
}
