import FiefRealm
import XCTest

class Bag: Object {
  @Persisted var things: List<AnyRealmValue>
}

final class AnyValueListTests: XCTestCase {
  func testValueForKey() {
    let bag = Bag()
    bag.things.append(objectsIn: [.int(1), .string("a"), .none])
    let values: [AnyObject] = bag.things.value(forKey: "self")
    XCTAssertEqual(values.count, 3)
    XCTAssertTrue(values[2] is NSNull)
  }
}
