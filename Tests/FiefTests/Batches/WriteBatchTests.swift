import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

/// Batches: all of their changes or none, in their order, and once.
struct WriteBatchTests {
  @Test(arguments: StoreKind.allCases)
  func redeemingPointsChangesPlayerAndTransactionTogether(_ kind: StoreKind) async throws {
    let clock = ManualClock()
    var options = StoreOptions()
    options.clock = clock.read
    let game = try FieldFixture.game(kind, options)
    try game.add(7, points: 12)
    clock.advance(by: 100)
    let transaction = FieldTransaction(player: 7, points: -10)
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 7, .increment(\.points, by: -10), .timestamp(\.seen))
    try batch.set(transaction)
    try batch.update(transaction, .timestamp(\.date))
    try batch.merge(FieldCount.self, forPrimaryKey: "daily", .increment(\.count))
    #expect(try game.player(7).points == 12)
    clock.advance(by: 100)
    try await batch.commit()
    let player = try game.player(7)
    #expect(player.points == 2)
    #expect(player.seen == Date(timeIntervalSinceReferenceDate: 200))
    let stored = try #require(try game.store().objects(FieldTransaction.self).all().first)
    #expect(stored.id == transaction.id && stored.points == -10 && stored.date == player.seen)
    #expect(game.object(ofType: FieldCount.self, forPrimaryKey: "daily")?.count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func hundredBatchesCountToAHundred(_ kind: StoreKind) async throws {
    let game = try FieldFixture.game(kind)
    for _ in 0..<100 {
      var batch = game.batch()
      try batch.merge(FieldCount.self, forPrimaryKey: "daily") { $0.increment(\.count, by: 1) }
      try await batch.commit()
    }
    #expect(game.object(ofType: FieldCount.self, forPrimaryKey: "daily")?.count == 100)
  }

  @Test(arguments: StoreKind.allCases)
  func incrementsOfEightTasksAreAllThere(_ kind: StoreKind) async throws {
    let game = try FieldFixture.game(kind)
    try game.add(1)
    let each = TestEffort.count(30, more: 100)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<each {
            var batch = game.batch()
            try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points), .increment(\.bonus))
            try await batch.commit()
          }
        }
      }
      try await group.waitForAll()
    }
    let player = try game.player(1)
    let all = 8 * each
    #expect(player.points == all && player.bonus == all)
    #expect(game.store().objects(FieldPlayer.self).where { $0.points == all }.count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func updateOfAMissingObjectUndoesTheBatch(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    try game.add(1, points: 5)
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
    try batch.set(FieldTransaction(player: 1, points: 1))
    try batch.merge(FieldCount.self, forPrimaryKey: "daily", .increment(\.count))
    try batch.update(FieldPlayer.self, forPrimaryKey: 2, .increment(\.points))
    let error = #expect(throws: FiefError.self) { try batch.commitAndWait() }
    #expect(error?.code == .objectNotFound && error?.type == "FieldPlayer" && error?.key == "2")
    #expect(try game.player(1).points == 5)
    #expect(
      game.store().objects(FieldTransaction.self).isEmpty && game.store().objects(FieldCount.self).isEmpty
    )
    // Nothing was written, so that it can be made again.
    try game.add(2)
    try batch.commitAndWait()
    #expect(try game.player(1).points == 6)
    #expect(try game.player(2).points == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func failedBatchFailsAloneInASharedCommit(_ kind: StoreKind) async throws {
    let game = try FieldFixture.game(kind)
    try game.add(1)
    let codes = await withTaskGroup(of: FiefError.Code?.self) { group in
      for number in 0..<40 {
        group.addTask {
          do {
            var batch = game.batch()
            try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
            try batch.merge(FieldCount.self, forPrimaryKey: "\(number)", .increment(\.count))
            if number % 4 == 0 {
              try batch.update(FieldPlayer.self, forPrimaryKey: 99, .increment(\.points))
            }
            try await batch.commit()
            return nil
          } catch { return (error as? FiefError)?.code }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.count { $0 == .objectNotFound } == 10 && codes.count { $0 == nil } == 30)
    #expect(try game.player(1).points == 30)
    #expect(game.store().objects(FieldCount.self).count == 30)
  }

  @Test(arguments: StoreKind.allCases)
  func laterChangesSeeEarlierOnes(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    try game.add(1, points: 5)
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .set(\.points, 10), .increment(\.points, by: 2))
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points, by: 3))
    try batch.delete(FieldPlayer.self, forPrimaryKey: 1)
    try batch.merge(FieldPlayer.self, forPrimaryKey: 1, .increment(\.level))
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.level), .set(\.name, "again"))
    try batch.commitAndWait()
    let player = try game.player(1)
    #expect(player.points == 0 && player.level == 5 && player.name == "again")
    var wrong = game.batch()
    try wrong.delete(player)
    try wrong.update(player, .increment(\.points))
    #expect(throws: FiefError.self) { try wrong.commitAndWait() }
    #expect(try game.player(1).level == 5)
  }

  @Test func batchIsCommittedOnce() async throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1)
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
    let copy = batch
    try await batch.commit()
    for again in [batch, copy] {
      await #expect { try await again.commit() } throws: { ($0 as? FiefError)?.code == .transactionEnded }
      #expect { try again.commitAndWait() } throws: { ($0 as? FiefError)?.code == .transactionEnded }
    }
    #expect { try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points)) } throws: {
      ($0 as? FiefError)?.code == .transactionEnded
    }
    #expect(try game.player(1).points == 1)
    let empty = game.batch()
    try await empty.commit()
    #expect { try empty.commitAndWait() } throws: { ($0 as? FiefError)?.code == .transactionEnded }
  }

  @Test func setCopiesTheObject() throws {
    let game = try FieldFixture.game(.inMemory)
    let note = FieldNote()
    note.text = "one"
    var batch = game.batch()
    try batch.set(note)
    note.text = "two"
    try batch.set(note)
    try batch.commitAndWait()
    #expect(game.store().objects(FieldNote.self).map(\.text).sorted() == ["one", "two"])
    // The object is in no store, and can be saved to any.
    let other = try FieldFixture.game(.inMemory)
    try other.saveAndWait(entity: note)
    #expect(other.store().objects(FieldNote.self).map(\.text) == ["two"])
    let stored = try #require(try game.store().objects(FieldNote.self).all().first { $0.text == "one" })
    var second = game.batch()
    try second.update(stored) { $0.increment(\.reads, by: 2) }
    try second.commitAndWait()
    #expect(game.store().objects(FieldNote.self).map(\.reads).sorted() == [0, 2])
    var third = game.batch()
    #expect { try third.update(FieldNote(), .increment(\.reads)) } throws: {
      ($0 as? FiefError)?.code == .objectNotFound
    }
    #expect { try third.update(FieldNote.self, forPrimaryKey: 1, .increment(\.reads)) } throws: {
      ($0 as? FiefError)?.code == .missingPrimaryKey
    }
    #expect { try third.delete(note) } throws: { ($0 as? FiefError)?.code == .foreignObject }
  }

  @Test func batchOfAStoreThatIsClosedFails() throws {
    let game = try FieldFixture.game(.onDisk)
    try game.add(1)
    let store = game.store()
    var batch = store.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
    game.close()
    #expect { try batch.commitAndWait() } throws: { ($0 as? FiefError)?.code == .storeClosed }
    #expect(try game.player(1).points == 0)
  }

  @Test func commitInsideOfAWriteIsRefused() throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1)
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
    try game.write { _ in
      #expect { try batch.commitAndWait() } throws: { ($0 as? FiefError)?.code == .nestedWrite }
    }
    try batch.commitAndWait()
    #expect(try game.player(1).points == 1)
  }
}
