import FiefRealm
import XCTest

struct Kilograms: CustomPersistable {
  typealias PersistedType = Int
  init(persistedValue: Int) {}
  var persistableValue: Int { 0 }
}

class Weighed: Object {
  @Persisted var weight: Kilograms
  @Persisted var optional: Kilograms?
  @Persisted var list: List<Kilograms>
  @Persisted var map: Map<String, Kilograms?>
}

final class CustomPropertyTests: XCTestCase {
  func testTypes() {
    let properties = Weighed.sharedSchema()!.properties
    XCTAssertEqual(properties.map(\.type), [.int, .int, .int, .int])
    XCTAssertEqual(properties.map { $0.isOptional }, [false, true, false, true])
    XCTAssertEqual(properties[2].isArray, true)
  }
}
