import FiefRealm
import XCTest

class Ship: Object {
  @Persisted var tonnage = 0
  @Persisted var crew: List<Sailor>
  override class func propertiesMapping() -> [String: String] { ["tonnage": "t"] }
}

class Sailor: Object {
  @Persisted var name = ""
  override class func propertiesMapping() -> [String: String] { ["name": "n"] }
}

final class ColumnNameTests: XCTestCase {
  func testListValues() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let ship = try realm.write {
      realm.create(Ship.self, value: ["tonnage": 3, "crew": [["name": "Ann"], ["name": "Bob"]]] as [String: Any])
    }
    let names: [AnyObject] = ship.crew.value(forKey: "name")
    XCTAssertEqual(names as! [String], ["Ann", "Bob"])
    XCTAssertEqual(ship.crew.value(forKeyPath: "name") as! [String], ["Ann", "Bob"])
  }
}
