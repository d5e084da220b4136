import FiefRealm
import XCTest

class Bundle2: Object {
  @Persisted var list: List<Int>
  @Persisted var set: MutableSet<String>
  @Persisted var map: Map<String, AnyRealmValue>
}

final class KeptCollectionTests: XCTestCase {
  func testAdding() {
    let object = Bundle2()
    let list = object.list
    let set = object.set
    let map = object.map
    XCTAssertNil(list.realm)
    XCTAssertTrue(list === object.list)
    let realm = try! Realm(configuration: .init(inMemoryIdentifier: name))
    try! realm.write { realm.add(object) }
    XCTAssertNotNil(list.realm)
    XCTAssertNotNil(map.realm)
    XCTAssertTrue(set === object.set)
  }
}
