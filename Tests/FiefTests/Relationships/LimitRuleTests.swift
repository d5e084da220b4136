import Fief
import Foundation
import Testing

/// Has two or three players, a captain, and at least one trainer who links it.
final class RuleTeam: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var captain: RulePlayer?
  @Persisted var players: List<RulePlayer>
  @Persisted var fans: Map<String, RulePlayer?>
  @Persisted(originProperty: "team") var trainers: LinkingObjects<RuleTrainer>

  override class func relationships() -> [Relationship] {
    [
      Relationship(\RuleTeam.captain, isRequired: true),
      Relationship("players", isRequired: true, minimum: 2, maximum: 3),
      Relationship("fans", maximum: 1), Relationship("trainers", isRequired: true, maximum: 2),
    ]
  }

  convenience init(_ name: String, _ players: [RulePlayer], trainer: RuleTrainer? = nil) {
    self.init()
    self.name = name
    self.players = List(players)
    captain = players.first
    trainer?.team = self
  }
}

final class RulePlayer: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var nick: String?

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

final class RuleTrainer: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var team: RuleTeam?

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// Required links and numbers of objects, however they are written.
@Suite(.timeLimit(.minutes(20))) struct LimitRuleTests {
  private static let types: [Object.Type] = [RuleTeam.self, RulePlayer.self, RuleTrainer.self]

  private func expectInvalid(
    _ details: [String],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(throws: FiefError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .validationFailed, sourceLocation: sourceLocation)
    #expect(error?.showingValues().details == details, sourceLocation: sourceLocation)
    #expect(error?.store == "rules", sourceLocation: sourceLocation)
    guard let error, let first = error.showingValues().details.first else { return }
    let place = "\(error.type ?? "")[\(error.key ?? "")].\(error.property ?? ""): "
    #expect(first.hasPrefix(place), sourceLocation: sourceLocation)
  }

  private func players(_ ids: ClosedRange<Int>) -> [RulePlayer] { ids.map { RulePlayer($0) } }

  @Test func allViolationsAreReportedTogether() throws {
    try RuleRepository.forBoth(Self.types) { repository in
      let crowded = RuleTeam("crowded", players(1...4))
      crowded.fans["a"] = .some(crowded.players[0])
      crowded.fans["b"] = .some(crowded.players[1])
      crowded.fans["c"] = .some(nil)
      let lonely = RuleTeam("lonely", [])
      expectInvalid([
        "RuleTeam[crowded].players: 4 objects, at most 3", "RuleTeam[crowded].fans: 2 objects, at most 1",
        "RuleTeam[crowded].trainers: 0 objects, at least 1", "RuleTeam[lonely].captain: required, but nil",
        "RuleTeam[lonely].players: 0 objects, at least 2", "RuleTeam[lonely].trainers: 0 objects, at least 1",
      ]) {
        try repository.saveNow([crowded, lonely])
      }
      let counts = try repository.read { snapshot in
        (snapshot.objects(RuleTeam.self).count, snapshot.objects(RulePlayer.self).count)
      }
      #expect(counts == (0, 0))
      crowded.players.removeLast()
      crowded.fans["b"] = nil
      let trainer = RuleTrainer(1)
      trainer.team = crowded
      try repository.saveNow([trainer])
      #expect(repository.object(ofType: RuleTeam.self, forPrimaryKey: "crowded")?.players.count == 3)
    }
  }

  @Test func longListsOfViolationsEnd() throws {
    try RuleRepository.forBoth(Self.types) { repository in
      let teams = (0..<150).map { number -> RuleTeam in RuleTeam("t\(number)", players(1...2)) }
      let error = #expect(throws: FiefError.self) { try repository.saveNow(teams, .all) }
      #expect(error?.details.count == 101 && error?.details.last == "and 50 more")
    }
  }

  @Test func aWriteMayGoThroughWhatIsNotValid() throws {
    try RuleRepository.forBoth(Self.types) { repository in
      try repository.store().write { transaction in
        let team = RuleTeam()
        team.name = "team"
        try transaction.add(team)
        #expect(transaction.objects(RuleTeam.self).count == 1)
        let trainer = try transaction.create(RuleTrainer.self, value: ["id": 1])
        trainer.team = team
        for id in 1...5 { team.players.append(RulePlayer(id)) }
        team.captain = team.players[3]
        #expect(team.trainers.count == 1)
        for _ in 0..<2 { team.players.removeLast() }
      }
      expectInvalid(["RuleTeam[team].players: 1 object, at least 2"]) {
        try repository.store().write { transaction in
          let team = try #require(try transaction.object(ofType: RuleTeam.self, forPrimaryKey: "team"))
          team.players.removeLast()
          _ = transaction.objects(RuleTeam.self).count
          team.players.removeLast()
        }
      }
      #expect(repository.object(ofType: RuleTeam.self, forPrimaryKey: "team")?.players.count == 3)
      // A deleted object needs no relations.
      try repository.store().write { transaction in
        let team = try #require(try transaction.object(ofType: RuleTeam.self, forPrimaryKey: "team"))
        team.players.removeAll()
        _ = transaction.objects(RuleTeam.self).count
        try transaction.delete(team)
      }
    }
  }

  @Test func deletionsThatLeaveTooLittleFail() throws {
    try RuleRepository.forBoth(Self.types) { repository in
      let trainer = RuleTrainer(1)
      let team = RuleTeam("a", players(1...3), trainer: trainer)
      try repository.saveNow([team, trainer])
      try repository.deleteNow([RulePlayer(3)])
      expectInvalid([
        "RuleTeam[a].captain: required, but nil", "RuleTeam[a].players: 1 object, at least 2",
      ]) { try repository.deleteNow([RulePlayer(1)]) }
      expectInvalid(["RuleTeam[a].trainers: 0 objects, at least 1"]) {
        try repository.deleteNow([RuleTrainer(1)])
      }
      expectInvalid([
        "RuleTeam[a].captain: required, but nil", "RuleTeam[a].players: 0 objects, at least 2",
      ]) { try repository.deleteAllNow(RulePlayer.self) }
      expectInvalid(["RuleTeam[a].trainers: 0 objects, at least 1"]) {
        try repository.deleteAllNow(RuleTrainer.self)
      }
      let second = RuleTrainer(2)
      second.team = repository.object(ofType: RuleTeam.self, forPrimaryKey: "a")
      try repository.saveNow([second])
      try repository.deleteNow([RuleTrainer(1)])
      let more = (3...4).map { id -> RuleTrainer in
        let trainer = RuleTrainer(id)
        trainer.team = second.team
        return trainer
      }
      expectInvalid(["RuleTeam[a].trainers: more than 2 objects"]) { try repository.saveNow(more) }
      try repository.deleteAllNow(RuleTeam.self)
      try repository.deleteAllNow(RulePlayer.self)
      #expect(try repository.read { $0.objects(RuleTrainer.self).first?.team } == nil)
    }
  }

  @Test func documentsAreHeldToTheRules() throws {
    try RuleRepository.forBoth(Self.types) { repository in
      func load(_ json: String) throws {
        try repository.saveAndWait(saveClass: RuleTrainer.self, jsonData: Data(json.utf8), update: true)
      }
      expectInvalid([
        "RuleTeam[a].captain: required, but nil", "RuleTeam[b].players: 1 object, at least 2",
      ]) {
        try load(
          """
          [{"id": 1, "team": {"name": "a", "players": [{"id": 1}, {"id": 2}]}},
           {"id": 2, "team": {"name": "b", "captain": 1, "players": [{"id": 3}]}}]
          """
        )
      }
      #expect(try repository.read { $0.objects(RuleTrainer.self).count } == 0)
      try load(#"{"id": 1, "team": {"name": "a", "captain": {"id": 1}, "players": [{"id": 1}, {"id": 2}]}}"#)
    }
  }

  @Test func othersOfTheBatchAreWritten() async throws {
    let repository = RuleRepository(
      realmMemoryType: .inMemory(identifier: UUID().uuidString),
      objectTypes: Self.types
    )
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let trainer = RuleTrainer(number)
          let team = RuleTeam(
            "t\(number)",
            [RulePlayer(number * 2), RulePlayer(number * 2 + 1)],
            trainer: trainer
          )
          if number % 3 == 0 { team.players.removeLast() }
          do {
            try await repository.save(entities: [trainer])
            return number % 3 != 0
          } catch let error as FiefError {
            return number % 3 == 0 && error.code == .validationFailed && error.key == "t\(number)"
          } catch {
            return false
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(try repository.read { $0.objects(RuleTeam.self).count } == 133)
    repository.closeChecked()
  }
}
