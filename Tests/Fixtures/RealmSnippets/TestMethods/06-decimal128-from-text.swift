import FiefRealm
import XCTest

final class DecimalTextTests: XCTestCase {
  func testText() throws {
    let price = try Decimal128(string: "19.95")
    let number = Decimal128(number: NSNumber(value: 4))
    XCTAssertEqual(price.stringValue, "19.95")
    XCTAssertEqual((price + number).doubleValue, 23.95, accuracy: 0.001)
    XCTAssertEqual(Decimal128(floatLiteral: 1.5), 1.5)
    XCTAssertTrue(Decimal128.nan.isNaN)
    XCTAssertLessThan(Decimal128.min, Decimal128.max)
  }
}
