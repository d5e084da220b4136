import FiefRealm
import XCTest

class Ring: Object {
  @Persisted var next: Ring?
  @Persisted var others: List<Ring>
}

final class CycleTests: XCTestCase {
  func testCycle() {
    weak var weakFirst: Ring?
    autoreleasepool {
      let first = Ring()
      let second = Ring(value: [first, [first]])
      first.next = second
      first.others.append(second)
      weakFirst = first
      let realm = try! Realm(configuration: .init(inMemoryIdentifier: name))
      try! realm.write { realm.add(first) }
      XCTAssertEqual(first.realm, realm)
      XCTAssertEqual(second.realm, realm)
    }
    XCTAssertNil(weakFirst)
  }
}
