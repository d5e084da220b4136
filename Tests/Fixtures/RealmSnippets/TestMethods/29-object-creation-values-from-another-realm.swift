import FiefRealm
import XCTest

class Part: Object {
  @Persisted var on = false
}

class Whole: Object {
  @Persisted var bool: Bool
  @Persisted var int16: Int16
  @Persisted var decimal: Decimal128
  @Persisted var part: Part?
  @Persisted var parts: List<Part>
  @Persisted var byName: Map<String, Part?>
}

final class OtherRealmTests: XCTestCase {
  func testCreate() throws {
    let values: [String: Any] = [
      "bool": true, "int16": 1 as Int16, "decimal": 3 as Decimal128, "part": Part(value: [true]),
      "parts": [Part(value: [true]), Part()], "byName": ["yes": Part(value: [true])],
    ]
    let first = try Realm(configuration: .init(inMemoryIdentifier: "first"))
    let second = try Realm(configuration: .init(inMemoryIdentifier: "second"))
    let other = try first.write { first.create(Whole.self, value: values) }
    let copy = try second.write { second.create(Whole.self, value: other) }
    XCTAssertFalse(copy.isSameObject(as: other))
    XCTAssertEqual(copy.parts.count, 2)
  }
}
