import Fief
import Foundation
import TestEffort
import Testing

/// Bounds of results on an order that an index or the key has are ranges of it, with and without a limit.
@Suite(.timeLimit(.minutes(20)))
struct BoundedPlanTests {
  final class Entry: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var number = 0
    @Persisted var group = ""
    @Persisted var plain = 0
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("group", "number")] }
  }

  private struct Entries: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType
    var directory: String?
    var schemaName: String? { "entries" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Entry.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }

    var visited: UInt64 { store().metrics.matchedRows }
  }

  private static let count = TestEffort.count(2_400, more: 6_000)
  /// A limit that leaves out few objects.
  private static let wideLimit = count * 5 / 6
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func entries(_ inMemory: Bool) throws -> Entries {
    let repository = Entries(
      realmMemoryType: inMemory ? .inMemory(identifier: UUID().uuidString) : .inStorage,
      directory: inMemory ? nil : directory.path
    )
    try repository.write { tx in
      for id in 0..<Self.count {
        let entry = Entry()
        entry.id = id
        // Two entries of each number.
        entry.number = id / 2
        entry.group = id % 2 == 0 ? "even" : "odd"
        entry.plain = id % 7
        try tx.add(entry, update: .error)
      }
    }
    return repository
  }

  private struct Order: Sendable {
    var name: String
    var results: @Sendable (Store) -> Results<Entry>
    /// The number of objects.
    var total = BoundedPlanTests.count
  }

  private static let orders: [Order] = [
    Order(name: "index", results: { $0.objects(Entry.self).sorted(byKeyPath: "number") }),
    Order(
      name: "index, descending",
      results: { $0.objects(Entry.self).sorted(byKeyPath: "number", ascending: false) }
    ),
    Order(name: "key", results: { $0.objects(Entry.self).sorted(byKeyPath: "id") }),
    Order(
      name: "key, descending",
      results: { $0.objects(Entry.self).sorted(byKeyPath: "id", ascending: false) }
    ),
    Order(
      name: "second column",
      results: { $0.objects(Entry.self).where { $0.group == "even" }.sorted(byKeyPath: "number") },
      total: BoundedPlanTests.count / 2
    ),
    Order(
      name: "second column, descending",
      results: {
        $0.objects(Entry.self).where { $0.group == "even" }.sorted(byKeyPath: "number", ascending: false)
      },
      total: BoundedPlanTests.count / 2
    ),
  ]

  /// Calls `body` and expects that no more rows than these were read.
  private func expect(
    _ most: UInt64,
    visitsOf repository: Entries,
    _ comment: Comment? = nil,
    _ body: () throws -> Void
  ) rethrows {
    let before = repository.visited
    try body()
    #expect(repository.visited - before <= most, comment)
  }

  @Test(arguments: [true, false]) func pastTheEndNothingIsLookedAt(inMemory: Bool) throws {
    let repository = try entries(inMemory)
    defer { repository.closeChecked() }
    for order in Self.orders {
      let all = order.results(repository.store())
      let last = try #require(try all.fetchLast())
      let first = try #require(try all.fetchFirst())
      let end = try all.cursor(for: last)
      let beginning = try all.cursor(for: first)
      let forms: [(String, Results<Entry>)] = [
        ("start(after:)", all.start(after: end)), ("end(before:)", all.end(before: beginning)),
        ("limited", all.start(after: end).limit(20)),
        ("limited widely", all.start(after: end).limit(Self.wideLimit)),
        ("the last ones", all.end(before: beginning).limit(toLast: 20)),
        ("both", all.start(after: end).end(before: end)),
        ("values", all.start(after: [order.name.hasPrefix("key") ? last.id : last.number])),
      ]
      for (name, results) in forms {
        let comment: Comment = "\(order.name), \(name)"
        try expect(0, visitsOf: repository, comment) { () throws in
          #expect(try results.all().isEmpty, comment)
          #expect(try results.fetchCount() == 0 && !results.fetchExists(), comment)
          #expect(try results.fetchFirst() == nil && results.fetchLast() == nil, comment)
          #expect(results.sum(ofProperty: "plain") as Int == 0, comment)
          #expect(results.max(ofProperty: "number") as Int? == nil, comment)
        }
        let plan = try results.explain()
        #expect(plan.estimatedRows == 0 && plan.appliesBounds && plan.order == .found, comment)
        #expect(plan.description.contains("about 0 of \(Self.count)"), comment)
        let count = try results.explain(.count)
        #expect(count.isIndexOnly, "\(comment): \(count)")
      }
    }
  }

  @Test(arguments: [true, false]) func nearTheEndOnlyTheRestIsLookedAt(inMemory: Bool) throws {
    let repository = try entries(inMemory)
    defer { repository.closeChecked() }
    for order in Self.orders {
      let all = order.results(repository.store())
      let place = order.total - 51
      let cursor = try all.cursor(for: try #require(try all.fetchObject(at: place)))
      // The visited rows are counted.
      let before = repository.visited
      let expected = try all.all().map(\.id).suffix(50)
      #expect(repository.visited - before >= UInt64(order.total), "\(order.name)")
      for limit in [nil, 200, Self.wideLimit] as [Int?] {
        let comment: Comment = "\(order.name), limit \(limit ?? 0)"
        var results = all.start(after: cursor)
        if let limit { results = results.limit(limit) }
        try expect(51, visitsOf: repository, comment) { () throws in
          #expect(try results.all().map(\.id) == Array(expected), comment)
        }
        try expect(0, visitsOf: repository, comment) { () throws in
          #expect(try results.fetchCount() == 50, comment)
        }
        try expect(1, visitsOf: repository, comment) { () throws in
          #expect(try results.fetchExists(), comment)
        }
        expect(51, visitsOf: repository, comment) {
          #expect(results.sum(ofProperty: "id") as Int == expected.reduce(0, +), comment)
        }
        #expect(try results.explain().appliesBounds, comment)
      }
      let inclusive = all.start(at: cursor)
      try expect(52, visitsOf: repository, "\(order.name)") { () throws in
        #expect(try inclusive.all().count == 51)
      }
    }
  }

  /// A plan that was made for bounds that leave nothing is not used for other bounds, nor one for other
  /// bounds for these.
  @Test(arguments: [true, false]) func plansOfOtherBoundsAreOthers(inMemory: Bool) throws {
    let repository = try entries(inMemory)
    defer { repository.closeChecked() }
    let all = repository.store().objects(Entry.self).sorted(byKeyPath: "number")
    let ids = Array(0..<Self.count)
    for _ in 0..<TestEffort.count(2, more: 3) {
      for place in [0, Self.count / 2, Self.count - 1] {
        let cursor = try all.cursor(for: try #require(try all.fetchObject(at: place)))
        #expect(try all.start(after: cursor).all().map(\.id) == Array(ids[(place + 1)...]))
        #expect(try all.end(at: cursor).all().map(\.id) == Array(ids[...place]))
      }
      #expect(try all.all().map(\.id) == ids)
      let end = try all.cursor(for: try #require(try all.fetchLast()))
      try expect(0, visitsOf: repository) { () throws in #expect(try all.start(after: end).all().isEmpty) }
    }
    #expect(try all.explain().order == .sorted)
  }

  @Test(arguments: [true, false]) func keysOfAnIndexAreNotLookedAtPastTheEnd(inMemory: Bool) throws {
    let repository = try entries(inMemory)
    defer { repository.closeChecked() }
    // The order is that of the keys, or that of an index of another column.
    let some = repository.store().objects(Entry.self).where { $0.number < 100 }
    #expect(try some.all().count == 200)
    let end = try some.cursor(for: try #require(try some.fetchLast()))
    for _ in 0..<2 {
      #expect(try some.all().count == 200)
      try expect(0, visitsOf: repository) { () throws in #expect(try some.start(after: end).all().isEmpty) }
    }
    let place = try some.cursor(for: try #require(try some.fetchObject(at: 150)))
    #expect(try some.start(after: place).all().map(\.id) == Array(151..<200))
  }

  @Test(arguments: [true, false]) func observersPastTheEndLookAtNothing(inMemory: Bool) throws {
    let repository = try entries(inMemory)
    defer { repository.closeChecked() }
    let all = repository.store().objects(Entry.self).sorted(byKeyPath: "number")
    let end = try all.cursor(for: try #require(try all.fetchLast()))
    let queue = DispatchQueue(label: "bounded")
    let seen = DispatchSemaphore(value: 0)
    let before = repository.visited
    let token = all.start(after: end).observe(on: queue) { _ in seen.signal() }
    seen.wait()
    #expect(repository.visited == before)
    token.invalidate()
  }

  @Test func countsInTheMiddleReadNoRecord() throws {
    let repository = try entries(true)
    defer { repository.closeChecked() }
    let all = repository.store().objects(Entry.self).sorted(byKeyPath: "number")
    let cursor = try all.cursor(for: try #require(try all.fetchObject(at: Self.count / 2)))
    try expect(0, visitsOf: repository) { () throws in
      #expect(try all.start(after: cursor).fetchCount() == Self.count / 2 - 1)
    }
    #expect(try all.start(after: cursor).explain(.count).isIndexOnly)
  }
}
