import FiefRealm
import XCTest

struct Metres: CustomPersistable {
  typealias PersistedType = Double
  let value: Double
  init(persistedValue: Double) { value = persistedValue }
  var persistableValue: Double { value }
}

class Rope: Object {
  @Persisted var length: Metres
  @Persisted var spare: Metres?
  @Persisted var lengths: List<Metres>
}

final class KeyPathTests: XCTestCase {
  func testNames() {
    XCTAssertEqual(_name(for: \Rope.length), "length")
    XCTAssertEqual(_name(for: \Rope.spare), "spare")
    XCTAssertEqual(_name(for: \Rope.lengths), "lengths")
  }
}
