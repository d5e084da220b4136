import FiefRealm
import XCTest

class Ship: Object {
  @Persisted var decks: Map<String, Deck?>
}

class Deck: Object {
  @Persisted var height = 0
}

final class MapObservationTests: XCTestCase {
  func testObservation() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let ship = try realm.write { realm.create(Ship.self, value: ["decks": ["a": ["height": 1]]]) }
    let changed = XCTestExpectation(description: "change")
    let token = ship.decks.observe(keyPaths: ["height"]) { changes in
      switch changes {
      case .update(_, _, _, let modifications):
        XCTAssertEqual(modifications, ["a"])
        changed.fulfill()
      case .initial: break
      default: XCTFail("No other changes")
      }
    }
    try realm.write {
      let decks = ship["decks"] as! Map<String, Deck?>
      decks["a"]!!["height"] = 2
    }
    wait(for: [changed], timeout: 1)
    token.invalidate()
  }
}
