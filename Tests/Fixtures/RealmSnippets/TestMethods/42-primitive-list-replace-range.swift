import FiefRealm
import XCTest

class Texts: Object {
  @Persisted var values: List<String>
}

final class ReplaceTests: XCTestCase {
  func testReplace() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let list = try realm.write { realm.create(Texts.self).values }
    try realm.write {
      list.replaceSubrange(0..<0, with: ["a"])
      list.replaceSubrange(0..<1, with: ["a", "b", "c"])
      list.replaceSubrange(1..<2, with: [])
      XCTAssertEqual(list.count, 2)
      list.insert("z", at: 1)
      list.replace(index: 0, object: "y")
    }
    XCTAssertEqual(list.filter("self BEGINSWITH 'z'").count, 1)
    XCTAssertEqual(Array(list.sorted(ascending: false)), ["z", "y", "c"])
    XCTAssertEqual(list.distinct().count, 3)
  }
}
