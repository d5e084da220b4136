import Fief
import FiefTesting
import Foundation
import Testing

@Suite struct SlowEventTests {
  private let events = Lock<[StoreEvent]>([])

  private func options(query: Double?, commit: Double?, step: Int) -> StoreOptions {
    var options = StoreOptions()
    let events = events
    options.eventHandler = { event in events.withLock { $0.append(event) } }
    options.slowQueryThreshold = query
    options.slowCommitThreshold = commit
    let ticks = Lock(0)
    options.durationClock = {
      ticks.withLock { ticks in
        ticks += step; return ticks
      }
    }
    return options
  }

  private var slow: [StoreEvent] {
    events.withLock { events in
      events.filter { event in
        switch event {
        case .slowQuery, .slowCommit: true
        default: false
        }
      }
    }
  }

  @Test func slowScanIsOneEventWithItsPlan() throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options(query: 0.1, commit: nil, step: 150_000_000)),
      .inMemory
    )
    try fixture.saveAndWait(entities: (0..<10).map(UsageStores.dog))
    _ = try fixture.store().objects(UsageDog.self).where { $0.age > 3 }.all()
    // A look-up by a key is no query.
    _ = fixture.store().object(ofType: UsageDog.self, forPrimaryKey: "dog1")
    #expect(slow.count == 1)
    guard case .slowQuery("usage", let query)? = slow.first else { return #expect(Bool(false), "\(slow)") }
    #expect(query.type == "UsageDog" && query.query == "age > <integer>")
    #expect(query.plan == "all objects; looks at about 10 of 10; checks each")
    #expect(query.duration == .milliseconds(150))
  }

  @Test func queryOfATransactionThatMaySuspendIsOneToo() async throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options(query: 0.1, commit: nil, step: 150_000_000)),
      .inMemory
    )
    try fixture.saveAndWait(entities: (0..<10).map(UsageStores.dog))
    try await fixture.store().runTransaction { transaction in
      let dogs = try transaction.getAll(transaction.objects(UsageDog.self).where { $0.age > 3 })
      #expect(dogs.count == 6)
      try transaction.set(UsageStores.dog(20))
    }
    #expect(slow.count == 1)
    guard case .slowQuery("usage", let query)? = slow.first else { return #expect(Bool(false), "\(slow)") }
    #expect(query.query == "age > <integer>")
  }

  @Test func iterationIsOneWhenItsBatchesAreSlowTogether() throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options(query: 0.1, commit: nil, step: 60_000_000)),
      .inMemory
    )
    try fixture.saveAndWait(entities: (0..<500).map(UsageStores.dog))
    let dogs = fixture.store().objects(UsageDog.self).where { $0.age >= 0 }
    // Each batch takes 60 ms.
    for _ in dogs {}
    #expect(slow.count == 1)
    guard case .slowQuery("usage", let query)? = slow.first else { return #expect(Bool(false), "\(slow)") }
    #expect(query.query == "age >= <integer>" && query.duration == .milliseconds(120))
    for _ in dogs.select(\.age) {}
    #expect(slow.count == 2)
    try fixture.write { transaction in
      for _ in transaction.objects(UsageDog.self).where({ $0.age >= 0 }) {}
    }
    #expect(slow.count == 3)
    // One batch is quick.
    for _ in dogs { break }
    #expect(slow.count == 3)
  }

  /// The event has the query that was run: for the place alone, for the keys of many rows, or for the object of a key.
  @Test func lookUpByPlaceIsOneWithWhatItHasRead() throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options(query: 0.1, commit: nil, step: 150_000_000)),
      .onDisk
    )
    try fixture.saveAndWait(entities: (0..<400).map(UsageStores.dog))
    let dogs = fixture.store().objects(UsageDog.self).where { $0.age >= 0 }
    for place in [70, 71, 72] { #expect(dogs[place] != nil) }
    let queries = slow.compactMap { event in
      if case .slowQuery(_, let query) = event { query.query } else { nil }
    }
    #expect(
      queries == [
        "age >= <integer> OFFSET(70) LIMIT(1)", "age >= <integer> LIMIT(256)", "SELF == <UsageDog>",
      ]
    )
    #expect(try fixture.check().problems.isEmpty)
  }

  @Test func queriesOfObserversAreMeasured() throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options(query: 0.1, commit: nil, step: 150_000_000)),
      .inMemory
    )
    let store = fixture.store()
    try fixture.saveAndWait(entities: (0..<10).map(UsageStores.dog))
    let dogs = store.objects(UsageDog.self).where { $0.age > 3 }
    let token = dogs.observe { _ in }
    try store.waitUntilDelivered()
    #expect(slow.count == 1)
    guard case .slowQuery("usage", let query)? = slow.first else { return #expect(Bool(false), "\(slow)") }
    #expect(query.query == "age > <integer>" && query.type == "UsageDog")
    // A changed object is evaluated by itself.
    try fixture.saveAndWait(entity: UsageStores.dog(20))
    try store.waitUntilDelivered()
    #expect(slow.count == 1)
    token.invalidate()
  }

  @Test func quickQueriesAndCommitsAreNone() throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options(query: 0.1, commit: 0.5, step: 100_000_000)),
      .inMemory
    )
    try fixture.saveAndWait(entities: (0..<10).map(UsageStores.dog))
    _ = try fixture.store().objects(UsageDog.self).all()
    #expect(slow.isEmpty)
  }

  @Test func slowCommitHasItsStages() throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options(query: nil, commit: 0.5, step: 200_000_000)),
      .inMemory
    )
    try fixture.saveAndWait(entity: UsageStores.dog(1))
    guard case .slowCommit("usage", let commit)? = slow.first else { return #expect(Bool(false), "\(slow)") }
    #expect(slow.count == 1 && commit.duration == .milliseconds(800))
    #expect(commit.waiting == .milliseconds(200) && commit.publishing == .milliseconds(200))
    #expect(commit.changing == .milliseconds(200) && commit.committing == .milliseconds(200))
  }
}
