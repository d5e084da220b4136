import FiefRealm
import XCTest

class Member: Object {
  @Persisted var age = 0
}

class Group: Object {
  @Persisted var members: MutableSet<Member>
}

final class SetQueryTests: XCTestCase {
  func testContains() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let member = Member()
    let group = Group()
    try realm.write { realm.add([member, group] as [Object]) }
    let result = realm.objects(Group.self).where {
      $0.members.contains(member)
    }
    XCTAssertEqual(result.count, 0)
    try! realm.write {
      group.members.insert(member)
    }
    XCTAssertEqual(result.count, 1)
  }
}
