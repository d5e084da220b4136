import FiefRealm
import XCTest

class Box: Object {
  @Persisted var anything: AnyRealmValue
}

final class MixedDictionaryTests: XCTestCase {
  func testReassign() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let box = Box()
    box.anything = AnyRealmValue.fromDictionary(["a": .bool(true), "b": .fromDictionary(["c": .int(12)])])
    try realm.write { realm.add(box) }
    XCTAssertEqual(box.anything.dictionaryValue?["b"]?.dictionaryValue?["c"], .int(12))
    try realm.write {
      box.anything.dictionaryValue?["d"] = AnyRealmValue.fromDictionary(["new": .int(3)])
      let item = box.anything.dictionaryValue?["a"]
      box.anything.dictionaryValue?["d"] = item
    }
    XCTAssertEqual(box.anything.dictionaryValue?["d"], .bool(true))
    XCTAssertNil(box.anything.listValue)
  }
}
