import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Aggregates that an index answers are those of the records, in reads and in writes.
@Suite(.timeLimit(.minutes(20)))
struct RandomAggregateTests {
  @Test(arguments: 0..<TestEffort.count(1, more: 2), TestEffort.first(1, of: [false, true]))
  func indexesAnswerAsRecordsDo(run: Int, inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = PlanRandom(seed: seed)
    let directory = try TemporaryDirectory()
    let repository = PlannedRepository(directory, inMemory: inMemory)
    defer { repository.closeChecked() }
    let store = repository.store()
    if let error = store.openingError { throw error }
    var indexOnly = 0
    for round in 0..<TestEffort.count(2, more: 3) {
      try store.write { scope in
        for _ in 0..<100 {
          let item = PlannedItem()
          item.id = random.chance(200) + 1
          random.fill(item)
          try scope.add(item, update: .all)
        }
        try Self.compare(scope, &random, "seed \(seed), round \(round), write", &indexOnly)
      }
      try store.read { try Self.compare($0, &random, "seed \(seed), round \(round)", &indexOnly) }
    }
    #expect(indexOnly > TestEffort.count(4, more: 10), "seed \(seed)")
  }

  /// Every record fulfils it, and no index knows that.
  private static let everyRecord = QueryCondition.comparison(
    .path(QueryPath("plain")),
    .greater,
    .value(.integer(-1))
  )

  private static func compare(
    _ scope: AccessScope,
    _ random: inout PlanRandom,
    _ comment: String,
    _ indexOnly: inout Int
  ) throws {
    for _ in 0..<25 {
      var results = scope.objects(PlannedItem.self)
      // Conditions of one indexed column are what an index can answer by itself.
      if random.chance(4) > 0 { results = results.filtered(by: random.condition(random.chance(2))) }
      let records = results.filtered(by: everyRecord)
      let place = "\(comment), \(results.description)"
      let uses: [QueryPlan.Use] = [.count, .sum("number"), .min("text"), .max("date"), .average("small")]
      indexOnly += try uses.count { try results.explain($0).isIndexOnly }
      #expect(try results.fetchCount() == (try records.fetchCount()), "\(place)")
      same(place, { try results.fetchSum(of: \.number) }, { try records.fetchSum(of: \.number) })
      same(place, { try results.fetchSum(of: \.id) }, { try records.fetchSum(of: \.id) })
      same(place, { try results.fetchSum(of: \.small) }, { try records.fetchSum(of: \.small) })
      same(place, { try results.fetchAverage(of: \.small) }, { try records.fetchAverage(of: \.small) })
      same(place, { try results.fetchMin(of: \.number) }, { try records.fetchMin(of: \.number) })
      same(place, { try results.fetchMax(of: \.number) }, { try records.fetchMax(of: \.number) })
      same(place, { try results.fetchMin(of: \.double) }, { try records.fetchMin(of: \.double) })
      same(place, { try results.fetchMax(of: \.float) }, { try records.fetchMax(of: \.float) })
      same(place, { try results.fetchMin(of: \.amount) }, { try records.fetchMin(of: \.amount) })
      same(place, { try results.fetchMax(of: \.date) }, { try records.fetchMax(of: \.date) })
      same(place, { try results.fetchMin(of: \.text) }, { try records.fetchMin(of: \.text) })
      same(place, { try results.fetchMax(of: \.text) }, { try records.fetchMax(of: \.text) })
    }
  }

  /// A sum may leave its type's range: then both say so.
  private static func same<Value: Equatable>(
    _ place: String,
    _ indexed: () throws -> Value,
    _ scanned: () throws -> Value
  ) {
    let (first, second) = (Result { try indexed() }, Result { try scanned() })
    switch (first, second) {
    case (.success(let first), .success(let second)): #expect(first == second, "\(place)")
    case (.failure(let first as FiefError), .failure(let second as FiefError)):
      #expect(first.code == second.code, "\(place)")
    default: Issue.record("\(place): \(first) and \(second)")
    }
  }
}
