import Fief
import FiefTesting
import Foundation
import Testing

/// Field operations inside of a write: live objects show them, and failures leave the rest.
struct TransactionFieldTests {
  @Test(arguments: StoreKind.allCases)
  func liveObjectsShowTheOutcome(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    for id in 1...2 { try game.add(id, points: 5) }
    try game.write { transaction in
      let player = try #require(try transaction.object(ofType: FieldPlayer.self, forPrimaryKey: 1))
      player.points = 7
      player.tags.append("a")
      let tags = player.tags
      try transaction.update(FieldPlayer.self, forPrimaryKey: 1) {
        $0.increment(\.points)
        $0.union(\.tags, ["b"])
      }
      #expect(player.points == 8 && Array(tags) == ["a", "b"] && player.tags === tags)
      try transaction.update(FieldPlayer.self, forPrimaryKey: 2, .set(\.mentor, player))
      #expect(player.pupils.map(\.id) == [2])
      try transaction.merge(FieldPlayer.self, forPrimaryKey: 3, ["points": .increment(2)])
      #expect(try transaction.object(ofType: FieldPlayer.self, forPrimaryKey: 3)?.points == 2)
      player.points += 1
    }
    #expect(try game.player(1).points == 9)
    #expect(try game.player(2).mentor?.id == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func failureLeavesTheRestOfTheWrite(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    try game.add(1, points: .max)
    func code(_ body: () throws -> Void) -> FiefError.Code? {
      do { try body() } catch { return (error as? FiefError)?.code }
      return nil
    }
    try game.write { transaction in
      try transaction.update(FieldPlayer.self, forPrimaryKey: 1, .set(\.name, "changed"))
      #expect(
        code {
          try transaction.update(FieldPlayer.self, forPrimaryKey: 1, .set(\.name, "no"), .increment(\.points))
        } == .invalidValue
      )
      #expect(
        code { try transaction.update(FieldPlayer.self, forPrimaryKey: 9, .increment(\.points)) }
          == .objectNotFound
      )
      #expect(
        code { try transaction.update(FieldPlayer.self, forPrimaryKey: 1, ["no": 1]) } == .unknownProperty
      )
    }
    #expect(try game.player(1).name == "changed")
    #expect(try game.player(1).points == .max)
  }

  @Test(arguments: StoreKind.allCases)
  func failureLeavesNoObjectThatItWouldHaveLinked(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    try game.add(1, points: .max)
    func new(_ id: Int) -> FieldPlayer { FieldPlayer(value: ["id": id, "name": "new"]) }
    try game.write { transaction in
      try transaction.update(FieldPlayer.self, forPrimaryKey: 1, .set(\.name, "changed"))
      let missing = #expect(throws: FiefError.self) {
        try transaction.update(FieldPlayer.self, forPrimaryKey: 9, .set(\.mentor, new(2)))
      }
      #expect(missing?.code == .objectNotFound && missing?.key == "9")
      let tooLarge = #expect(throws: FiefError.self) {
        try transaction.update(
          FieldPlayer.self,
          forPrimaryKey: 1,
          .set(\.mentor, new(3)),
          .increment(\.points)
        )
      }
      #expect(tooLarge?.code == .invalidValue && tooLarge?.property == "points")
    }
    #expect(try game.player(1).name == "changed")
    #expect(try game.store().objects(FieldPlayer.self).fetchCount() == 1)
    // Where it is found only behind the new object, nothing of the write is kept.
    #expect(throws: FiefError.self) {
      try game.write { transaction in
        try? transaction.objects(FieldPlayer.self).update(.set(\.mentor, new(4)), .increment(\.points))
      }
    }
    #expect(try game.store().objects(FieldPlayer.self).fetchCount() == 1)
  }

  @Test func objectsThatWereReadBeforeJoinWithTheNewValues() throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1, points: 5)
    let held = try game.player(1)
    try game.write { transaction in
      try transaction.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
      held.name = "joined"
      #expect(held.points == 6)
      try transaction.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
      #expect(held.points == 7)
    }
    #expect(try game.player(1).name == "joined")
  }

  @Test func rolledBackChangesAreGoneFromLiveObjects() throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1, points: 5)
    struct Stop: Error {}
    var live: FieldPlayer?
    #expect(throws: Stop.self) {
      try game.write { transaction in
        live = try transaction.object(ofType: FieldPlayer.self, forPrimaryKey: 1)
        try transaction.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
        #expect(live?.points == 6)
        throw Stop()
      }
    }
    #expect(live?.points == 5)
    #expect(try game.player(1).points == 5)
  }

  @Test func batchDoesNotNotifyTheObservationsThatItNames() async throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1)
    let calls = Lock<[String]>([])
    let player = try game.player(1)
    let silent = player.observe { _ in calls.withLock { $0.append("silent") } }
    let loud = try game.store().observe { _ in calls.withLock { $0.append("loud") } }
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
    try await batch.commit(withoutNotifying: [silent])
    while calls.withLock({ $0.isEmpty }) { await Task.yield() }
    #expect(calls.withLock { $0 } == ["loud"])
    withExtendedLifetime((silent, loud)) {}
  }
}
