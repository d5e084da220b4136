import FiefRealm
import XCTest

class Wheel: EmbeddedObject {
  @Persisted var size = 0
  @Persisted var spokes: List<Int>
  @Persisted var tyre: Tyre?
}

class Tyre: Object {
  @Persisted var brand: String?
}

final class KeyPathTests: XCTestCase {
  func testEmbedded() {
    XCTAssertEqual(_name(for: \Wheel.size), "size")
    XCTAssertEqual(_name(for: \Wheel.spokes), "spokes")
    XCTAssertEqual(_name(for: \Wheel.tyre?.brand), "tyre.brand")
  }
}
