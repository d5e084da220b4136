import Fief
import FiefTesting
import Foundation
import LMDB
import TestEffort
import Testing

@testable import FiefCore

private enum Version1 {
  final class Team: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var players: List<Player>
    @Persisted(originProperty: "team") var fans: LinkingObjects<Player>
  }
  final class Player: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var points: Int32 = 0
    @Persisted var goals = 0
    @Persisted var team: Team?
  }
}

private enum Version2 {
  final class Team: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var players: List<Player>
    @Persisted(originProperty: "team") var fans: LinkingObjects<Player>
    @Persisted(indexed: true) var fansCount = 0
    @Persisted var fanPoints = 0
    @Persisted var playerPoints = 0
    @Persisted var best: Int32?
    @Persisted(index: .unique) var search = ""
    @Persisted var changedAt: Date?

    override class func derivedProperties() -> [DerivedProperty] {
      [
        DerivedProperty("fansCount", .count(of: "fans")),
        DerivedProperty("fanPoints", .sum(of: "fans.points")),
        DerivedProperty("playerPoints", .sum(of: "players.points")),
        DerivedProperty("best", .max(of: "fans.points")),
        DerivedProperty("search", .lowercased(of: "name")), DerivedProperty("changedAt", .lastChange),
      ]
    }
  }
  final class Player: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var points: Int32 = 0
    @Persisted var goals = 0
    @Persisted var team: Team?
  }
}

/// A team of which nothing but the number of its fans is derived.
private enum CountedFans {
  final class Team: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var players: List<Player>
    @Persisted(originProperty: "team") var fans: LinkingObjects<Player>
    @Persisted var fansCount = 0

    override class func derivedProperties() -> [DerivedProperty] {
      [DerivedProperty("fansCount", .count(of: "fans"))]
    }
  }
  final class Player: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var points: Int32 = 0
    @Persisted var goals = 0
    @Persisted var team: Team?
  }
}

/// Columns and a property with other names, another property in the sum, and another key.
private enum Version3 {
  final class Team: Object {
    @Persisted(primaryKey: true) var code = ""
    @Persisted var id = 0
    @Persisted var title = ""
    @Persisted var players: List<Player>
    @Persisted(originProperty: "team") var fans: LinkingObjects<Player>
    @Persisted(indexed: true) var fansCount = 0
    @Persisted var fanPoints = 0
    @Persisted var playerPoints = 0
    @Persisted var best: Int32?
    @Persisted(index: .unique) var search = ""
    @Persisted var changedAt: Date?

    override class func derivedProperties() -> [DerivedProperty] {
      [
        DerivedProperty("fansCount", .count(of: "fans")),
        DerivedProperty("fanPoints", .sum(of: "fans.score")),
        DerivedProperty("playerPoints", .sum(of: "players.goals")),
        DerivedProperty("best", .max(of: "fans.score")),
        DerivedProperty("search", .lowercased(of: "title")), DerivedProperty("changedAt", .lastChange),
      ]
    }
  }
  final class Player: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var score: Int32 = 0
    @Persisted var goals = 0
    @Persisted var team: Team?
  }
}

/// Derived properties are made for the objects that there are, and stay right through whatever a block does.
@Suite(.timeLimit(.minutes(20))) struct DerivedMigrationTests {
  private func makeFirst(_ directory: String, teams: Int = 5, players: Int = 40) throws {
    let store = MigratingStore(directory, version: 1, [Version1.Team.self, Version1.Player.self])
    try store.opened { store in
      try store.write { transaction in
        let teams = (0..<teams).map { id in
          let team = Version1.Team()
          team.id = id
          team.name = "Team \(id) Ö"
          return team
        }
        for team in teams { try transaction.add(team) }
        for id in 0..<players {
          let player = Version1.Player()
          player.id = id
          player.points = Int32(id)
          player.goals = id * 2
          player.team = teams[id % teams.count]
          try transaction.add(player)
          teams[(id + 1) % teams.count].players.append(player)
        }
      }
    }
  }

  @Test func newOnesAreMadeForAllObjects() throws {
    try MigratingStore.withDirectory { directory in
      let teams = TestEffort.count(600, more: 3000)
      try makeFirst(directory, teams: teams, players: 2 * teams)
      var store = MigratingStore(directory, version: 2, [Version2.Team.self, Version2.Player.self])
      let seen = OwnedLock<[String]>([])
      store.storeOptions.eventHandler = { event in
        if case .migrating(let progress) = event { seen.withLock { $0.append(progress.activity) } }
      }
      try store.opened { store in
        let team = try #require(store.object(ofType: Version2.Team.self, forPrimaryKey: 1))
        #expect(team.fansCount == 2 && team.fanPoints == teams + 2 && team.playerPoints == teams)
        #expect(team.best == Int32(teams + 1) && team.search == "team 1 ö" && team.changedAt != nil)
        #expect(
          try store.read { $0.objects(Version2.Team.self).where { $0.fansCount == 2 }.count } == teams
        )
      }
      #expect(seen.withLock { $0.contains("Team: deriving properties") })
    }
  }

  @Test func theyFollowWhatABlockDoes() throws {
    try MigratingStore.withDirectory { directory in
      try makeFirst(directory)
      try MigratingStore(directory, version: 2, [Version2.Team.self, Version2.Player.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Player") { old, new in
          guard let id = old?["id"] as? Int, let new else { return }
          if id % 2 == 0 { new["points"] = 100 }
        }
        migration.create("Player", value: ["id": 100, "points": 7])
      }.opened { store in
        for team in try store.all(Version2.Team.self) {
          #expect(
            team.fansCount == team.fans.count && team.fanPoints == team.fans.reduce(0) { $0 + Int($1.points) }
          )
        }
      }
      // The existing properties are kept right as well.
      try MigratingStore(directory, version: 3, [Version2.Team.self, Version2.Player.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Player") { old, new in
          guard let id = old?["id"] as? Int, let new else { return }
          if id % 3 == 0 { new["points"] = 1 }
          if id % 5 == 0 { new["team"] = nil }
          if id % 7 == 0 { migration.delete(new) }
        }
      }.opened { store in
        for team in try store.all(Version2.Team.self) {
          #expect(
            team.fansCount == team.fans.count && team.fanPoints == team.fans.reduce(0) { $0 + Int($1.points) }
          )
        }
      }
    }
  }

  @Test func theyFollowRenamesChangesAndNewKeys() throws {
    try MigratingStore.withDirectory { directory in
      try makeFirst(directory)
      try MigratingStore(directory, version: 2, [Version2.Team.self, Version2.Player.self]).opened { _ in }
      try MigratingStore(directory, version: 3, [Version3.Team.self, Version3.Player.self]) { migration, _ in
        migration.renameProperty(onType: "Team", from: "name", to: "title")
        migration.renameProperty(onType: "Player", from: "points", to: "score")
        migration.enumerateObjects(ofType: "Team") { old, new in
          new?["code"] = "t\(old?["id"] ?? "")"
        }
      }.opened { store in
        let teams = try store.all(Version3.Team.self)
        #expect(teams.count == 5)
        for team in teams {
          #expect(team.fansCount == 8 && team.fanPoints == team.fans.reduce(0) { $0 + Int($1.score) })
          #expect(team.playerPoints == team.players.reduce(0) { $0 + $1.goals } && team.playerPoints > 0)
          #expect(team.search == team.title.lowercased())
        }
        try store.write { transaction in
          let player = try #require(try transaction.object(ofType: Version3.Player.self, forPrimaryKey: 3))
          player.goals = 1000
          player.score = 1000
        }
        #expect(store.object(ofType: Version3.Team.self, forPrimaryKey: "t3")?.best == 1000)
      }
    }
  }

  @Test(arguments: [true, false])
  func aBacklinkFromNowhereEndsTheMigration(isOnlyCounted: Bool) throws {
    try MigratingStore.withDirectory { directory in
      try makeFirst(directory)
      // The last backlink: the one of team 4 from player 39, which names player 238 now.
      try BacklinkDamage.change(39, to: 238, ofLinksFrom: "Player", in: directory + "/migrated")
      let store =
        isOnlyCounted
        ? MigratingStore(directory, version: 2, [CountedFans.Team.self, CountedFans.Player.self])
        : MigratingStore(directory, version: 2, [Version2.Team.self, Version2.Player.self])
      let failure = try store.failure()
      #expect(failure.code == .damagedRecord && failure.store == "migrated", "\(failure)")
      #expect(failure.type == "Player" && failure.property == "team" && failure.key == "238")
      // The store is as it was, and the damage is found in it.
      let first = MigratingStore(directory, version: 1, [Version1.Team.self, Version1.Player.self])
      defer { first.close() }
      #expect(first.store().openingError == nil)
      #expect(try first.check().problems.contains { $0.hasSuffix("the backlink of team is missing") })
    }
  }

  /// Flips the last backlink of a store of the second version, the one of team 4 from player 39.
  private func withBacklinkFromNowhere(_ body: (MigratingStore) throws -> Void) throws {
    try MigratingStore.withDirectory { directory in
      try makeFirst(directory)
      let store = MigratingStore(directory, version: 2, [Version2.Team.self, Version2.Player.self])
      try store.opened { _ in }
      try BacklinkDamage.change(39, to: 238, ofLinksFrom: "Player", in: directory + "/migrated")
      defer { store.close() }
      try body(store)
    }
  }

  /// Changes the best fans of teams 3 and 4, so that the next best ones are looked for among all, and another fan.
  private func changeFans(_ transaction: WriteTransaction) throws {
    for id in [38, 39] {
      try transaction.object(ofType: Version2.Player.self, forPrimaryKey: id)?.points = 0
    }
    try transaction.object(ofType: Version2.Player.self, forPrimaryKey: 34)?.team = nil
  }

  private func expectUnchanged(_ store: MigratingStore) {
    #expect(store.object(ofType: Version2.Player.self, forPrimaryKey: 34)?.team?.id == 4)
    #expect(store.object(ofType: Version2.Player.self, forPrimaryKey: 38)?.points == 38)
    #expect(store.object(ofType: Version2.Team.self, forPrimaryKey: 3)?.best == 38)
  }

  @Test func aBacklinkFromNowhereEndsTheWriteThatReadsIt() throws {
    try withBacklinkFromNowhere { store in
      let failure = #expect(throws: FiefError.self) { try store.write { try changeFans($0) } }
      #expect(failure?.code == .damagedRecord && failure?.key == "238", "\(String(describing: failure))")
      expectUnchanged(store)
      let problems = try store.check().problems
      #expect(
        problems.contains { $0.hasPrefix("Team[4]: ") && $0.contains("A backlink refers") },
        "\(problems)"
      )
    }
  }

  @Test("a write whose closure catches the error of a backlink from nowhere is not committed")
  func caughtErrorOfABacklinkFromNowhere() throws {
    try withBacklinkFromNowhere { store in
      var caught: FiefError?
      let failure = #expect(throws: FiefError.self) {
        try store.write { transaction in
          try changeFans(transaction)
          do { _ = try transaction.objects(Version2.Team.self).fetchCount() } catch {
            caught = error as? FiefError
          }
        }
      }
      #expect(caught?.code == .damagedRecord)
      #expect(failure?.code == .damagedRecord && failure?.key == "238", "\(String(describing: failure))")
      expectUnchanged(store)
    }
  }
}
