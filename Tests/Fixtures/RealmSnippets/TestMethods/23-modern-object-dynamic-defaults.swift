import FiefRealm
import XCTest

class Stamped: Object {
  @Persisted var number = Int.random(in: 0...1_000_000)
  @Persisted var text = UUID().uuidString
  @Persisted var date = Date(timeIntervalSinceReferenceDate: .random(in: 0...1000))
  @Persisted var data = Data(UUID().uuidString.utf8)
}

final class DefaultTests: XCTestCase {
  func testDifferent() {
    func assertDifferent(_ first: Stamped, _ second: Stamped) {
      XCTAssertNotEqual(first.text, second.text)
      XCTAssertNotEqual(first.data, second.data)
    }
    assertDifferent(Stamped(), Stamped())
    let realm = try! Realm(configuration: .init(inMemoryIdentifier: name))
    try! realm.write {
      assertDifferent(realm.create(Stamped.self), realm.create(Stamped.self))
    }
  }
}
