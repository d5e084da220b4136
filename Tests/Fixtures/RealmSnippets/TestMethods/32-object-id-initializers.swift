import FiefRealm
import XCTest

final class ObjectIdCreationTests: XCTestCase {
  func testInitializers() {
    let generated = ObjectId.generate()
    let literal = ObjectId("000123450000ffbeef91906c")
    let dated = ObjectId(timestamp: Date(timeIntervalSince1970: 1), machineId: 10, processId: 20)
    XCTAssertNotEqual(generated, ObjectId())
    XCTAssertEqual(literal.stringValue, "000123450000ffbeef91906c")
    XCTAssertEqual(dated.timestamp, Date(timeIntervalSince1970: 1))
    XCTAssertEqual(Set([literal, literal]).count, 1)
    XCTAssertEqual(literal.description, literal.stringValue)
  }
}
