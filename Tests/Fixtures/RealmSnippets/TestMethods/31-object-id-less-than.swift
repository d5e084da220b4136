import FiefRealm
import XCTest

final class ObjectIdTests: XCTestCase {
  func testOrder() {
    let first = try! ObjectId(string: "000123450000ffbeef91906c")
    let second = try! ObjectId(string: "000123450000ffbeef91906d")
    XCTAssertTrue(first < second)
    XCTAssertFalse(second < first)
    XCTAssertTrue(first <= first)
    XCTAssertGreaterThanOrEqual(second, first)
    XCTAssertThrowsError(try ObjectId(string: "too short"))
  }
}
