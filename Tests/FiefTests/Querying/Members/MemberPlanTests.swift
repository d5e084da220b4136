import Fief
import FiefStress
import Foundation
import LMDB
import TestEffort
import Testing

@testable import FiefCore

/// The access paths to a collection's objects find the same rows, wherever they stop and go on.
@Suite(.timeLimit(.minutes(20)))
struct MemberPlanTests {
  @Test(arguments: TestEffort.first(3, of: [(30, true), (30, false), (1_200, false), (1_200, true)]))
  func everyWayFindsWhatTheElementsAre(size: Int, inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = PlanRandom(seed: seed)
    let directory = try TemporaryDirectory()
    let repository = PlannedRepository(directory, inMemory: inMemory)
    defer { repository.closeChecked() }
    try Self.fill(repository, size, &random)
    let core = try repository.store().core()
    let table = try #require(core.tables["PlannedItem"])
    var filtered = 0
    try core.read { transaction in
      for _ in 0..<TestEffort.count(15, more: 30) {
        filtered += try Self.compare(core, transaction, table, &random, "seed \(seed)") ? 1 : 0
      }
    }
    try repository.store().write { scope in
      for item in scope.objects(PlannedItem.self).limit(20) { random.fill(item) }
      try scope.prepareForReading()
      for _ in 0..<TestEffort.count(8, more: 20) {
        _ = try Self.compare(core, try scope.liveTransaction(), table, &random, "seed \(seed), write")
      }
    }
    #expect(size < 100 || filtered > 0, "seed \(seed)")
  }

  private static func fill(_ repository: PlannedRepository, _ size: Int, _ random: inout PlanRandom) throws {
    var filling = random
    try repository.store().write { scope in
      let items = (1...300).map { id in
        let item = PlannedItem()
        item.id = id
        filling.fill(item)
        return item
      }
      for _ in 0..<size { items[0].friends.append(items[filling.chance(300)]) }
      try scope.add(items)
    }
    random = filling
  }

  /// - Returns: whether indexes were asked first.
  private static func compare(
    _ core: StoreCore,
    _ transaction: LMDB.Transaction,
    _ table: Table,
    _ random: inout PlanRandom,
    _ comment: String
  ) throws -> Bool {
    let members = QueryMembers(
      type: "PlannedItem",
      key: ObjectKey(rowID: 1),
      path: ["friends"]
    )
    var description = random.description()
    description.order = []
    description.members = members
    let binder = QueryBinder(tables: core.tables, table: table, names: .columns)
    let environment = QueryEnvironment(tables: core.tables, transaction: transaction)
    let condition = try description.condition.map(binder.condition)
    let source = try MemberSource(members, binder)
    var expected: [[UInt8]] = []
    try source.forEachRun(core.tables, in: transaction) { run in
      for entry in run.entries {
        guard let key = run.key(entry), let records = table.records,
          try environment.row(of: table, records, key: key, if: condition) != nil
        else { continue }
        expected.append(MemberPlace.key(entry.place, key))
      }
      return true
    }
    let planner = QueryPlanner(
      binder: binder,
      transaction: transaction,
      purpose: random.pick([.rows, .count])
    )
    let access = try planner.memberAccess(members, description)
    // Sometimes there are too many keys to hold.
    (access as? MemberAccess)?.keyLimit = random.pick([KeyList.limit, KeyList.limit, 0, 200])
    if access.isReversed { expected.reverse() }
    var found: [[UInt8]] = []
    var position: QueryPosition?
    repeat {
      let most = found.count + 1 + random.chance(40)
      position = try access.forEachRow(in: environment, after: position) { row in
        found.append(MemberPlace.key(environment.place, row.key))
        return found.count < most
      }
    } while position != nil
    var keys: [[UInt8]] = []
    _ = try access.forEachKey(in: environment) { key in
      keys.append(MemberPlace.key(environment.place, key))
      return true
    }
    let count = try access.count(in: environment)
    #expect(found == expected && keys == expected && count == expected.count, "\(comment), \(description)")
    guard case .intersection? = try? planner.explain(members, description).access else { return false }
    return true
  }
}
