import FiefRealm
import XCTest

class Box: Object {
  @Persisted var anything: AnyRealmValue
}

final class MixedNotificationTests: XCTestCase {
  func testArray() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let inner = AnyRealmValue.fromArray([.float(4), .string("lunch")])
    let box = Box()
    box.anything = .fromArray([inner, .decimal128(Decimal128(1))])
    try realm.write { realm.add(box) }
    let check: (RealmCollectionChange<List<AnyRealmValue>>) -> Void = { change in
      if case .update(_, let deletions, let insertions, _) = change {
        XCTAssertEqual(deletions, [])
        XCTAssertEqual(insertions, [2])
      }
    }
    let token = box.anything.listValue?.observe(check)
    try realm.write { box.anything.listValue?.append(.bool(true)) }
    realm.refresh()
    token?.invalidate()
  }
}
