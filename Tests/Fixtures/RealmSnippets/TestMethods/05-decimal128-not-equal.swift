import FiefRealm
import XCTest

final class DecimalTests: XCTestCase {
  func testNotEqual() {
    let first: Decimal128 = 2.71828
    let second: Decimal128 = .init(number: 2.71828)
    let third: Decimal128 = "456"
    let fourth = Decimal128(exactly: 456)
    XCTAssertFalse(first != second)
    XCTAssertFalse(third != fourth)
    XCTAssertTrue(first != third)
    XCTAssertEqual(first.advanced(by: 1), 3.71828)
    XCTAssertEqual(third / 2, 228)
  }
}
