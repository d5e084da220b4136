import FiefRealm
import XCTest

class Holder: Object {
  @Persisted var list: List<Flag>
  @Persisted var set: MutableSet<Flag>
}

class Flag: Object {
  @Persisted var on = false
}

final class EnumerationTests: XCTestCase {
  func testLoop() {
    let realm = try! Realm(configuration: .init(inMemoryIdentifier: name))
    let holder = Holder()
    holder.list.append(objectsIn: [Flag(value: [true]), Flag()])
    holder.set.insert(Flag(value: ["on": true]))
    try! realm.write { realm.add(holder) }
    let objects = realm.objects(Holder.self)
    XCTAssertEqual(2, objects.first!.list.count)
    for object in objects {
      let first = object.list.first!
      XCTAssertEqual(true, first.on)
      XCTAssertEqual(1, object.set.count)
    }
  }
}
