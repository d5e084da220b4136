import FiefRealm
import XCTest

class Crate: Object {
  @Persisted var weight = 0
  @Persisted var label: String?
  override class func propertiesMapping() -> [String: String] { ["weight": "w"] }
}

final class SetValueTests: XCTestCase {
  func testKeyValueCoding() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let crate = Crate()
    try realm.write {
      realm.add(crate)
      crate.setValue(5, forKey: "weight")
      crate.setValue(nil, forKey: "label")
      crate.setValuesForKeys(["weight": 6])
    }
    XCTAssertEqual(crate.value(forKey: "weight") as! Int, 6)
    XCTAssertNil(crate["label"])
  }
}
