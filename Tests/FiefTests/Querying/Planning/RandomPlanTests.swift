import Fief
import FiefStress
import Foundation
import LMDB
import TestEffort
import Testing

@testable import FiefCore

/// Every access path of random queries finds what a scan finds, in reads and in writes.
@Suite(.timeLimit(.minutes(20)))
struct RandomPlanTests {
  @Test(arguments: 0..<TestEffort.count(1, more: 2), [true, false])
  func everyPlanFindsWhatAScanFinds(run: Int, inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = PlanRandom(seed: seed)
    let directory = try TemporaryDirectory()
    let repository = PlannedRepository(directory, inMemory: inMemory)
    defer { repository.closeChecked() }
    let store = repository.store()
    if let error = store.openingError { throw error }
    let core = try store.core()
    let table = try #require(core.tables["PlannedItem"])
    var used: Set<String> = []
    for round in 0..<4 {
      let comment = "seed \(seed), round \(round)"
      try store.write { try Self.change($0, &random) }
      let isWhole = try core.read { transaction in
        try Self.compare(core, transaction, table, &random, comment, &used)
      }
      guard isWhole else { return }
      try store.write { scope in
        try Self.change(scope, &random)
        try scope.prepareForReading()
        _ = try Self.compare(core, try scope.liveTransaction(), table, &random, comment + ", write", &used)
      }
    }
    #expect(used.isSuperset(of: ["records", "walk", "keys"]), "seed \(seed)")
  }

  private static func change(_ scope: Fief.WriteTransaction, _ random: inout PlanRandom) throws {
    for _ in 0..<random.chance(120) {
      let id = random.chance(150) + 1
      if let known = try scope.object(ofType: PlannedItem.self, forPrimaryKey: id) {
        if random.chance(4) == 0 { try scope.delete(known) } else { random.fill(known) }
        continue
      }
      let item = PlannedItem()
      item.id = id
      random.fill(item)
      item.friend = try scope.object(ofType: PlannedItem.self, forPrimaryKey: random.chance(40))
      for _ in 0..<random.chance(3) {
        if let friend = try scope.object(ofType: PlannedItem.self, forPrimaryKey: random.chance(40)) {
          item.friends.append(friend)
        }
      }
      try scope.add(item)
    }
  }

  private static func compare(
    _ core: StoreCore,
    _ transaction: LMDB.Transaction,
    _ table: Table,
    _ random: inout PlanRandom,
    _ comment: String,
    _ used: inout Set<String>
  ) throws -> Bool {
    let comparison = PlanComparison(core: core, transaction: transaction, table: table)
    for _ in 0..<TestEffort.count(25, more: 40) {
      let description = random.description()
      guard let names = try comparison.check(description, &random, comment) else { return false }
      used.formUnion(names)
    }
    return true
  }
}
