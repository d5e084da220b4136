import FiefRealm
import XCTest

class Letter: Object {
  @Persisted var text = ""
  var initial: String { String(text.prefix(1)) }
}

final class FrozenSectionTests: XCTestCase {
  func testFrozen() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    try realm.write { realm.add(Letter(value: ["abc"])) }
    let frozen = realm.objects(Letter.self).sectioned(by: \.initial, ascending: true)[0].freeze()
    try realm.write { realm.add(Letter(value: ["axe"])) }
    XCTAssertTrue(frozen.isFrozen)
    XCTAssertEqual(frozen.key, "a")
    guard let thawed = frozen.thaw() else { return XCTFail("no section") }
    XCTAssertEqual(thawed.count, 2)
    XCTAssertFalse(thawed.isInvalidated)
  }
}
