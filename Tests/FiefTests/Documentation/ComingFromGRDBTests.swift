import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Coming from GRDB*.
@Suite(.freshStores) struct ComingFromGRDBTests {
  // Documentation: begin model
  final class Player: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted(indexed: true) var score = 0
  }

  struct GameRepository: DatabaseConfigurable {
    let schemaName: String? = "game"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Player.self]
  }
  // Documentation: end model

  @Test func thePortRuns() throws {
    // Documentation: begin use
    let game = GameRepository()
    try game.write { transaction in
      try transaction.create(Player.self, value: ["id": 1, "name": "Arthur", "score": 120] as [String: Any])
      try transaction.create(Player.self, value: ["id": 2, "name": "Barbara", "score": 90] as [String: Any])
    }

    let best = try game.objects(Player.self)
      .where { $0.score > 100 }
      .sorted(byKeyPath: \.score, ascending: false)
      .limit(10)
    print(try best.all().map(\.name))

    let token = try game.objects(Player.self).observe { change in
      if case .update(let players, _, _, _) = change { print(players.count, "players") }
    }

    try game.write { transaction in
      try transaction.object(ofType: Player.self, forPrimaryKey: 2)?.score += 50
    }
    token.invalidate()
    // Documentation: end use
    #expect(try best.all().map(\.name) == ["Barbara", "Arthur"])
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("ComingFromGRDB", as: #filePath) }
}
