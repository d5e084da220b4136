import Dispatch
import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Observers that are called at most once in each interval.
@Suite(.timeLimit(.minutes(30))) struct ThrottledObservingTests {
  /// The calls of a handler, and the rows that their indexes lead to.
  private final class Rows: Sendable {
    struct State {
      var calls: [String] = []
      var rows: [String] = []
      var wrong: [String] = []
    }

    let state = Lock(State())

    var calls: [String] { state.withLock(\.calls) }
    var rows: [String] { state.withLock(\.rows) }
    var wrong: [String] { state.withLock(\.wrong) }

    func note(_ change: RealmCollectionChange<Results<CachedUser>>) {
      switch change {
      case .initial(let users):
        let rows = users.map { "\($0.id) \($0.name)" }
        state.withLock {
          $0.calls.append("initial")
          $0.rows = rows
        }
      case .update(let users, let deletions, let insertions, let modifications):
        let rows = users.map { "\($0.id) \($0.name)" }
        let modified = change.newModifications
        state.withLock { state in
          state.calls.append("-\(deletions) +\(insertions) ~\(modifications)")
          for index in deletions.reversed() { state.rows.remove(at: index) }
          for index in insertions { state.rows.insert(rows[index], at: index) }
          for index in modified { state.rows[index] = rows[index] }
          if state.rows != rows { state.wrong.append("\(state.rows) is not \(rows)") }
        }
      case .error(let error): state.withLock { $0.calls.append("\((error as? FiefError)?.code as Any)") }
      }
    }
  }

  private func put(_ world: CacheWorld, _ ids: Range<Int>, _ name: String = "") throws {
    try world.store.write { transaction in
      for id in ids { try transaction.add(CachedUser(id, name), update: .all) }
    }
  }

  /// Waits on a thread of its own, since handlers on actors need those that tests share.
  private func delivered(_ world: CacheWorld) async throws {
    let store = world.store.store()
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try store.waitUntilDelivered() }) }
    }
  }

  /// Waits until the observers have been notified, but for those that rest.
  private func evaluated(_ world: CacheWorld) async throws {
    let calls = Counted()
    let token = world.store.store().objects(CachedPlace.self).observe { _ in calls.add() }
    await waitUntil { calls.count == 1 }
    try await world.store.write { try $0.add(CachedPlace(value: ["name": "\(UUID())"])) }
    await waitUntil { calls.count == 2 }
    token.invalidate()
  }

  @Test(arguments: StoreKind.allCases) func changesWithinAnIntervalAreOneUpdate(_ kind: StoreKind)
    async throws
  {
    let world = try CacheWorld(kind)
    try put(world, 0..<4)
    let rows = Rows()
    let token = world.store.store().objects(CachedUser.self).observe(every: .seconds(1)) { rows.note($0) }
    try await delivered(world)
    #expect(rows.calls == ["initial"])
    try put(world, 4..<6)
    try put(world, 1..<2, "one")
    try await world.store.delete(ofType: CachedUser.self, forPrimaryKeys: [0, 4])
    try put(world, 2..<3, "two")
    try put(world, 2..<3)
    try await evaluated(world)
    world.clock.advance(by: 0.999)
    try await evaluated(world)
    #expect(rows.calls == ["initial"])
    world.clock.advance(by: 0.001)
    try await delivered(world)
    #expect(rows.calls == ["initial", "-[0] +[3] ~[1]"])
    // Nothing has changed: no call, and the next change is reported at once.
    world.clock.advance(by: 5)
    try await evaluated(world)
    #expect(rows.calls.count == 2)
    try put(world, 7..<8)
    try await delivered(world)
    #expect(rows.calls.count == 3 && rows.wrong == [] && rows.rows == ["1 one", "2 ", "3 ", "5 ", "7 "])
    token.invalidate()
  }

  @Test func manyCommitsInASecondAreFiveCalls() async throws {
    let world = try CacheWorld(.inMemory)
    let rows = Rows()
    let token = world.store.store().objects(CachedUser.self).observe(every: .milliseconds(250)) {
      rows.note($0)
    }
    try await delivered(world)
    let commits = TestEffort.count(800, more: 10_000)
    for commit in 1...commits {
      try put(world, commit % 10..<commit % 10 + 1, "\(commit)")
      world.clock.advance(by: 1 / Double(commits))
      guard commit % (commits / 4) == 0 else { continue }
      // What the sums of such times have lost.
      world.clock.advance(by: 0.000_001)
      try await delivered(world)
    }
    // At once, and after each quarter of a second.
    #expect(rows.calls.count == 5 && rows.wrong == [])
    #expect(rows.rows == (0..<10).map { "\($0) \($0 == 0 ? commits : commits - 10 + $0)" })
    token.invalidate()
  }

  @Test func theLastStateIsAlwaysDelivered() async throws {
    let world = try CacheWorld(.inMemory)
    let rows = Rows()
    let token = world.store.store().objects(CachedUser.self).observe(every: .milliseconds(250)) {
      rows.note($0)
    }
    try await delivered(world)
    for quarter in 1...4 {
      for commit in 1...100 { try put(world, 1..<2, "\(quarter) \(commit)") }
      world.clock.advance(by: 0.25)
      try await delivered(world)
      #expect(rows.rows == ["1 \(quarter) 100"] && rows.calls.count == quarter + 1)
    }
    token.invalidate()
  }

  @Test(arguments: StoreKind.allCases) func theSystemsClockWorksToo(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind) { $0.intervalClock = ContinuousClock() }
    let rows = Rows()
    let token = world.store.store().objects(CachedUser.self).observe(every: .milliseconds(30)) {
      rows.note($0)
    }
    for commit in 1...50 { try put(world, 1..<2, "\(commit)") }
    try await delivered(world)
    #expect(rows.rows == ["1 50"] && rows.calls.count <= 51 && rows.wrong == [])
    token.invalidate()
  }

  @Test(arguments: StoreKind.allCases) func aTokenThatEndsInTheIntervalGetsNoCall(_ kind: StoreKind)
    async throws
  {
    let world = try CacheWorld(kind)
    let (rows, others) = (Rows(), Rows())
    let users = world.store.store().objects(CachedUser.self)
    let token = users.observe(every: .seconds(1)) { rows.note($0) }
    let other = users.observe(every: .seconds(1)) { others.note($0) }
    try await delivered(world)
    try put(world, 0..<1)
    try await evaluated(world)
    token.invalidate()
    world.clock.advance(by: 1)
    try await delivered(world)
    #expect(rows.calls == ["initial"] && others.calls.count == 2)
    other.invalidate()
  }

  @Test(arguments: StoreKind.allCases) func everyKindOfObserverCanBeThrottled(_ kind: StoreKind) async throws
  {
    let world = try CacheWorld(
      kind,
      [CachedArticle.self, ArticleNote.self, ArticlePicture.self, ThrottledBox.self]
    )
    try await world.store.write { transaction in
      let box = ThrottledBox(value: ["id": 1])
      box.list.append(ArticlePicture(value: [1]))
      try transaction.add(box)
    }
    let store = world.store.store()
    let box = try #require(try store.fetchObject(ofType: ThrottledBox.self, forPrimaryKey: 1))
    let counts = (0..<8).map { _ in Counted() }
    let interval = Duration.seconds(1)
    let pages = PagedResults(store.objects(ArticlePicture.self))
    let tokens = [
      box.observe(every: interval) { _ in counts[0].add() },
      box.list.observe(every: interval) { _ in counts[1].add() },
      box.map.observe(on: DispatchQueue(label: "map"), every: interval) { _ in counts[2].add() },
      try store.observe(every: interval) { _ in counts[3].add() },
      try world.store.observe(every: interval) { _ in counts[4].add() },
      store.objects(ArticlePicture.self).sectioned(by: { $0.id % 2 }).observe(every: interval) { _ in
        counts[5].add()
      },
      box.numbers.observe(on: Hearing.shared, every: interval) { _, _ in counts[6].add() },
      pages.observe(every: interval) { _ in counts[7].add() },
    ]
    try await delivered(world)
    func change(_ number: Int) throws {
      try world.store.write { transaction in
        guard let box = try transaction.object(ofType: ThrottledBox.self, forPrimaryKey: 1) else { return }
        box.list.append(ArticlePicture(value: [number]))
        box.map["\(number)"] = number
        box.numbers.append(number)
      }
    }
    // The first change of those that have no first call is reported at once.
    try change(2)
    await waitUntil { [0, 3, 4].allSatisfy { counts[$0].count == 1 } }
    world.clock.advance(by: 1)
    try await delivered(world)
    #expect(counts.map(\.count) == [1, 2, 2, 1, 1, 2, 2, 2])
    // No interval goes on: all are called at once, and not again before its end.
    world.clock.advance(by: 1)
    try change(3)
    try await delivered(world)
    #expect(counts.map(\.count) == [2, 3, 3, 2, 2, 3, 3, 3])
    for number in 4..<8 { try change(number) }
    world.clock.advance(by: 1)
    try await delivered(world)
    #expect(counts.map(\.count) == [3, 4, 4, 3, 3, 4, 4, 4])
    withExtendedLifetime(tokens) {}
    for token in tokens { token.invalidate() }
  }

  @Test(arguments: StoreKind.allCases) func sequencesCanBeThrottled(_ kind: StoreKind) async throws {
    let world = try CacheWorld(kind)
    let users = world.store.store().objects(CachedUser.self)
    let changes = users.changes(every: .seconds(1)).makeAsyncIterator()
    guard case .initial? = try await changes.next() else {
      Issue.record("no first state")
      return
    }
    for id in 0..<3 { try put(world, id..<id + 1) }
    let clock = world.clock
    let mover = Task.detached {
      while !Task.isCancelled {
        clock.advance(by: 1)
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    guard case .update(_, _, let insertions, _)? = try await changes.next() else {
      Issue.record("no update")
      return
    }
    mover.cancel()
    await mover.value
    #expect(insertions == [0, 1, 2])
    // Another interval begins, and the test does not end it.
    clock.advance(by: 1)
    try put(world, 3..<4)
    guard case .update? = try await changes.next() else {
      Issue.record("no second update")
      return
    }
    // A closed store ends the loop in the middle of the interval.
    try put(world, 5..<6)
    world.store.close()
    #expect(try await changes.next() == nil)
  }

  @Test(arguments: StoreKind.allCases) func silentWritesInTheIntervalAreNotReported(_ kind: StoreKind)
    async throws
  {
    let world = try CacheWorld(kind)
    let rows = Rows()
    let token = world.store.store().objects(CachedUser.self).observe(every: .seconds(1)) { rows.note($0) }
    try await delivered(world)
    try put(world, 5..<6)
    try await evaluated(world)
    try await world.store.store().write(withoutNotifying: [token]) { transaction in
      try transaction.add(CachedUser(1, "own"))
    }
    #expect(throws: Offline.self) {
      try world.store.store().write(withoutNotifying: [token]) { transaction in
        try transaction.add(CachedUser(2, "undone"))
        throw Offline()
      }
    }
    try await evaluated(world)
    #expect(rows.calls == ["initial"])
    // The observer shows its own change itself.
    rows.state.withLock { $0.rows = ["1 own"] }
    world.clock.advance(by: 1)
    try await delivered(world)
    #expect(rows.calls == ["initial", "-[] +[1] ~[]"] && rows.wrong == [])
    token.invalidate()
  }

  @Test func thousandsOfObserversNeedNoThreads() async throws {
    let count = TestEffort.count(2_000, more: 10_000)
    let world = try CacheWorld(.inMemory)
    let calls = Counted()
    let tokens = try (0..<count).map { _ in
      try world.store.observe(every: .seconds(1)) { _ in calls.add() }
    }
    try put(world, 0..<1)
    try await delivered(world)
    #expect(calls.count == count)
    for id in 1..<4 { try put(world, id..<id + 1) }
    try await evaluated(world)
    #expect(calls.count == count)
    #if os(Linux)
      // Other tests of this process have threads, too, but not thousands of them.
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
      #expect(threads < tokens.count / 2)
    #endif
    world.clock.advance(by: 1)
    try await delivered(world)
    #expect(calls.count == 2 * count)
    for token in tokens { token.invalidate() }
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func anIntervalThatIsNotPositiveThrottlesNothing(_ interval: Duration) async throws {
    let world = try CacheWorld(.inMemory)
    let rows = Rows()
    let token = world.store.store().objects(CachedUser.self).observe(every: interval) { rows.note($0) }
    for id in 0..<3 {
      try await delivered(world)
      try put(world, id..<id + 1)
    }
    try await delivered(world)
    #expect(rows.calls.count == 4)
    token.invalidate()
  }

  @Test func theLongestIntervalDoesNotOverflow() async throws {
    let world = try CacheWorld(.inMemory) { $0.intervalClock = ContinuousClock() }
    let rows = Rows()
    let users = world.store.store().objects(CachedUser.self)
    let token = users.observe(every: .seconds(Int64.max) * 10) { rows.note($0) }
    try await delivered(world)
    try put(world, 0..<1)
    try await evaluated(world)
    #expect(rows.calls == ["initial"])
    token.invalidate()
  }
}

@globalActor actor Hearing {
  static let shared = Hearing()
}

final class ThrottledBox: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var list: List<ArticlePicture>
  @Persisted var numbers: List<Int>
  @Persisted var map: Map<String, Int>
}
