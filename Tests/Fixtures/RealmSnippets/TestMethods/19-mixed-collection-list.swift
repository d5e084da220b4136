import FiefRealm
import XCTest

class Box: Object {
  @Persisted var anything: AnyRealmValue
}

final class MixedListTests: XCTestCase {
  func testReassign() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let box = Box()
    box.anything = .fromArray([.bool(true), .fromDictionary(["key": .int(12)])])
    try realm.write {
      realm.add(box)
      box.anything.listValue?.append(.fromArray([.double(20.2), .string("hello")]))
      box.anything.listValue?[0] = .string("first")
    }
    XCTAssertEqual(box.anything.listValue?[2].listValue?[0], .double(20.2))
    XCTAssertEqual(box.anything.listValue?.count, 3)
    XCTAssertEqual(realm.objects(Box.self).where { $0.anything[1]["key"] == 12 }.count, 1)
    XCTAssertEqual(realm.objects(Box.self).where { $0.anything.any == "first" }.count, 1)
  }
}
