import FiefRealm
import XCTest

class Team: Object {
  @Persisted var players: List<Player>
}

class Player: Object {
  @Persisted var name = ""
}

final class ListRealmTests: XCTestCase {
  func testInvalidated() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let team = Team(value: [[["Ann"], ["Bob"]]])
    XCTAssertNil(team.players.realm)
    try realm.write {
      realm.add(team)
      let players = team.players
      XCTAssertFalse(players.isInvalidated)
      XCTAssertEqual(players.index(of: players[1]), 1)
      XCTAssertEqual(players.index(matching: "name = 'Bob'"), 1)
      realm.delete(team)
      XCTAssertTrue(players.isInvalidated)
    }
  }
}
