import FiefRealm
import XCTest

class Counts: Object {
  @Persisted var map: Map<String, Int>
}

final class PrimitiveMapTests: XCTestCase {
  func testUpdate() {
    let map = Counts().map
    map["a"] = 1
    XCTAssertEqual(1, map.keys.count)
    XCTAssertTrue(Set(["a"]).isSubset(of: map.keys))
    map.updateValue(2, forKey: "a")
    map.merge(["b": 3]) { $0 + $1 }
    map.merge([("b", 4)]) { $1 + $0 }
    XCTAssertEqual(map.values.sorted(), [2, 7])
    XCTAssertEqual(map.max(), 7)
    XCTAssertEqual(map.sum(), 9)
    for (key, value) in map { XCTAssertEqual(map.object(forKey: key as AnyObject) as? Int, value) }
  }
}
