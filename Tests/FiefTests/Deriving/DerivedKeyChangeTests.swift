import Fief
import Testing

/// A team whose key may have no value.
private enum Unnamed {
  final class Team: Object {
    @Persisted(primaryKey: true) var id: Int?
    @Persisted(originProperty: "team") var fans: LinkingObjects<Player>
    @Persisted var fansCount = 0
    @Persisted var weight = 0.0

    override class func derivedProperties() -> [DerivedProperty] {
      [DerivedProperty("fansCount", .count(of: "fans")), DerivedProperty("weight", .sum(of: "fans.weight"))]
    }
  }
  final class Player: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var weight = 0.0
    @Persisted var team: Team?
  }
}

/// The same team with another key.
private enum Named {
  final class Team: Object {
    @Persisted(primaryKey: true) var code = ""
    @Persisted(originProperty: "team") var fans: LinkingObjects<Player>
    @Persisted var fansCount = 0
    @Persisted var weight = 0.0

    override class func derivedProperties() -> [DerivedProperty] {
      [DerivedProperty("fansCount", .count(of: "fans")), DerivedProperty("weight", .sum(of: "fans.weight"))]
    }
  }
  final class Player: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var weight = 0.0
    @Persisted var team: Team?
  }
}

/// Derived properties of objects that a migration gives another primary key.
@Suite(.timeLimit(.minutes(20))) struct DerivedKeyChangeTests {
  @Test("a key of no value is the beginning of no other key while a migration gives objects other ones")
  func keyOfNoValue() throws {
    try MigratingStore.withDirectory { directory in
      try MigratingStore(directory, version: 1, [Unnamed.Team.self, Unnamed.Player.self]).opened { store in
        try store.write { transaction in
          let team = Unnamed.Team()
          for id in 1...3 {
            let player = Unnamed.Player(value: ["id": id, "weight": Double(id) / 2])
            player.team = team
            try transaction.add(player)
          }
        }
      }
      try MigratingStore(directory, version: 2, [Named.Team.self, Named.Player.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Team") { _, new in new?["code"] = "first" }
        migration.enumerateObjects(ofType: "Player") { old, new in
          if old?["id"] as? Int == 1 { new?["weight"] = 10.0 }
        }
        let second = migration.create("Team", value: ["code": "second"])
        migration.create("Player", value: ["id": 9, "weight": 8.0, "team": second])
      }.opened { store in
        let first = try #require(store.object(ofType: Named.Team.self, forPrimaryKey: "first"))
        #expect(first.fansCount == 3 && first.weight == 12.5)
        let second = try #require(store.object(ofType: Named.Team.self, forPrimaryKey: "second"))
        #expect(second.fansCount == 1 && second.weight == 8)
      }
    }
  }
}
