import FiefRealm
import XCTest

class Target: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var number = 0
}

class Origin: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var target: Target?
}

final class UpdateTests: XCTestCase {
  func testNested() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    realm.beginWrite()
    let existing = realm.create(Target.self, value: ["primary", 1])
    try realm.commitWrite()
    realm.beginWrite()
    let object = Origin(value: ["primary", ["primary", 2] as [Any]])
    realm.add(object, update: .modified)
    try realm.commitWrite()
    XCTAssertEqual(object.target!, existing)
    XCTAssertEqual(existing.number, 2)
  }
}
