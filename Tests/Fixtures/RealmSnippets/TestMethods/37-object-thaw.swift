import FiefRealm
import XCTest

class Switch: Object {
  @Persisted var on = false
}

final class ThawTests: XCTestCase {
  func testThaw() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let object = try realm.write {
      realm.create(Switch.self, value: ["on": true])
    }
    let frozen = object.freeze()
    XCTAssertTrue(frozen.isFrozen)
    let live = frozen.thaw()!
    XCTAssertEqual(live.on, frozen.on)
    try live.realm!.write({ live.on = false })
    XCTAssertNotEqual(live.on, frozen.on)
  }
}
