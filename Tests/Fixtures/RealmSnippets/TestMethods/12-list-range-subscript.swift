import FiefRealm
import XCTest

class Numbers: Object {
  @Persisted var values: List<Int>
}

final class ListRangeTests: XCTestCase {
  func testSubscript() {
    let list = Numbers(value: ["values": [1, 2, 3, 4, 5]]).values
    list[0] = 5
    list[1..<4] = List<Int>()[0..<0]
    XCTAssertEqual(Array(list), [5, 5])
    list.replaceSubrange(0..<1, with: [7, 8])
    list.insert(contentsOf: [9], at: 0)
    list.removeSubrange(1...2)
    XCTAssertEqual(Array(list), [9, 5])
    list.removeLast()
    list += [3, 4]
    XCTAssertEqual(list.count, 3)
  }
}
