import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefCore
@testable import FiefObserving

/// Notifications of commits by another process.
@Suite(.timeLimit(.minutes(20))) struct ForeignCommitTests {
  private let directory: TemporaryDirectory
  private let repository: StressJointRepository

  init() throws {
    directory = try TemporaryDirectory()
    repository = StressJointRepository("first", directory: directory.path)
    try repository.write { transaction in
      for id in 0..<20 { try transaction.create(StressAccount.self, value: ["id": id, "balance": 100]) }
    }
  }

  private var accounts: Results<StressAccount> {
    repository.store().objects(StressAccount.self).sorted(byKeyPath: "id")
  }

  private func account(_ id: Int) throws -> StressAccount {
    try #require(repository.object(ofType: StressAccount.self, forPrimaryKey: id))
  }

  /// The number of observations: loops begin when they get to it.
  private func observations() throws -> Int {
    try repository.store().core().hub.state.withLock { $0.observations.count }
  }

  /// Notes what an observed object has gone through.
  private static func text(_ change: ObjectChange<StressAccount>) -> String {
    switch change {
    case .change(let account, let properties):
      "\(properties.map(\.name)) \(account.note ?? "") \(account.balance)"
    case .deleted: "deleted"
    case .error(let error): "\(error)"
    }
  }

  @MainActor @Test func allKindsOfObserversHearExactlyWhatHasChanged() async throws {
    defer { repository.closeChecked() }
    let (heard, looped) = (HeardAccounts(), HeardAccounts())
    let (one, two, other, sets) = (
      Lock<[String]>([]), Lock<[String]>([]), Lock<[String]>([]), Lock<[Bool]>([])
    )
    let tokens = [
      accounts.observe { heard.note($0) },
      try account(1).observe { change in one.withLock { $0.append(Self.text(change)) } },
      try account(2).observe { change in two.withLock { $0.append(Self.text(change)) } },
      try account(3).observe { change in other.withLock { $0.append(Self.text(change)) } },
      try repository.observe { changes in sets.withLock { $0.append(changes.isComplete) } },
    ]
    let live = LiveResults(accounts)
    let liveOne = LiveObject(try account(1))
    let (results, changed, sequence) = (accounts, try account(1).changes(), repository.changes())
    let loops: [Task<String, any Error>] = [
      Task.detached {
        for try await change in results.changes() {
          looped.note(change)
          if looped.calls.count == 2 { break }
        }
        return ""
      },
      Task.detached {
        for try await change in changed { return Self.text(change) }
        return ""
      },
      Task.detached {
        for try await changes in sequence { return "\(changes.isComplete)" }
        return ""
      },
    ]
    while looped.calls.count < 1 || !live.isLoaded || heard.calls.count < 1 {
      try await Task.sleep(for: .milliseconds(1))
    }
    while try observations() < 10 { try await Task.sleep(for: .milliseconds(1)) }
    let (_, end) = try CrashChild("observed-once", directory.path).finish()
    #expect(end == .exited(0))
    let loopResults = [try await loops[0].value, try await loops[1].value, try await loops[2].value]
    while heard.calls.count < 2 || live.last?.id != 1_000 || liveOne.object?.note != "changed"
      || one.withLock({ $0.isEmpty }) || two.withLock({ $0.isEmpty }) || sets.withLock({ $0.isEmpty })
    { try await Task.sleep(for: .milliseconds(1)) }
    #expect(heard.calls == ["initial 20", "-[2] +[19] ~[1]"] && heard.wrong == [])
    #expect(looped.calls == ["initial 20", "-[2] +[19] ~[1]"] && looped.wrong == [])
    #expect(loopResults == ["", "[\"note\"] changed 100", "false"])
    #expect(one.withLock { $0 } == ["[\"note\"] changed 100"] && two.withLock { $0 } == ["deleted"])
    #expect(other.withLock { $0 } == [], "nothing has become of it")
    #expect(sets.withLock { Set($0) } == [false])
    #expect(live.lastChange.deletions == [2] && live.lastChange.insertions == [19])
    withExtendedLifetime(tokens) {}
  }

  /// Two processes write at once; the reported states are committed ones, some of them, and the last one.
  @Test func burstsComeTogetherAndEndWithTheLastState() async throws {
    defer { repository.closeChecked() }
    let (heard, isWriting) = (HeardAccounts(), Lock(true))
    defer { isWriting.withLock { $0 = false } }
    let token = accounts.observe { change in
      // The commits of this process, which come while the handler works, come together.
      if case .update = change { while isWriting.withLock({ $0 }) { usleep(1_000) } }
      usleep(5_000)
      heard.note(change)
    }
    let seed = UInt64.random(in: 0..<1 << 32)
    let child = try CrashChild("observed-run", directory.path, "400", "10", "\(seed)")
    child.wait(for: "saved")
    var random = StressRandom(seed: ~seed)
    for _ in 0..<100 {
      try repository.writeNow { transaction in
        let all = Array(transaction.objects(StressAccount.self))
        let (giver, taker) = (all[random.next(all.count)], all[random.next(all.count)])
        giver.balance -= 3
        taker.balance += 3
      }
    }
    isWriting.withLock { $0 = false }
    let (lines, end) = child.finish()
    #expect(end == .exited(0) && lines.count == 401, "\(lines.first { $0.hasPrefix("error") } ?? "")")
    try await until { heard.contents == HeardAccounts.contents(of: accounts) }
    #expect(heard.wrong == [] && heard.sums == [2_000], "seed \(seed)")
    #expect(heard.calls.count < 500)
    token.invalidate()
  }

  /// The commits of a process that was killed are reported, and nothing else; then others go on.
  @Test func aWriterThatIsKilledLeavesNothingHalf() async throws {
    defer { repository.closeChecked() }
    let heard = HeardAccounts()
    let token = accounts.observe { heard.note($0) }
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    for round in 0..<TestEffort.count(4, more: 12) {
      let place = "seed \(seed), round \(round)"
      let child = try CrashChild(
        "observed-run",
        directory.path,
        "1000000",
        "200000",
        "\(random.next() % 1_000)"
      )
      let (_, end) = try child.kill(microseconds: random.next(30_000), after: "saved")
      #expect(end == .killed, "\(place)")
      // No write of this process helps to find out.
      try await until { heard.contents == HeardAccounts.contents(of: accounts) }
      #expect(heard.wrong == [] && heard.sums == [2_000], "\(place)")
      try repository.writeNow { transaction in
        let all = Array(transaction.objects(StressAccount.self))
        all[0].balance += 1
        all[1].balance -= 1
      }
      try repository.store().waitUntilDelivered()
      #expect(heard.contents == HeardAccounts.contents(of: accounts), "\(place)")
    }
    token.invalidate()
  }

  @Test func aStoreThatWasCompactedIsObservedLikeAnyOther() async throws {
    defer { repository.closeChecked() }
    let before = HeardAccounts()
    let first = accounts.observe { before.note($0) }
    try repository.store().waitUntilDelivered()
    repository.close()
    try repository.compact()
    let heard = HeardAccounts()
    let second = accounts.observe { heard.note($0) }
    try repository.store().waitUntilDelivered()
    #expect(try CrashChild("observed-once", directory.path).finish().end == .exited(0))
    try await until { heard.calls.count == 2 }
    #expect(heard.calls == ["initial 20", "-[2] +[19] ~[1]"] && before.calls == ["initial 20"])
    withExtendedLifetime((first, second)) {}
  }

  /// An open store stays as it is, and its observers are still notified of what this process does there.
  @Test func aStoreWhoseDirectoryIsMovedAwayIsObservedOn() async throws {
    let heard = HeardAccounts()
    let token = accounts.observe { heard.note($0) }
    try repository.store().waitUntilDelivered()
    let place = directory["first"]
    try FileManager.default.moveItem(atPath: place, toPath: place + " moved")
    let looks = try repository.store().core().hub.evaluations
    for balance in 101...110 {
      try repository.writeNow { transaction in
        try transaction.object(ofType: StressAccount.self, forPrimaryKey: 0)?.balance = balance
      }
    }
    try repository.store().waitUntilDelivered()
    #expect(heard.contents.first == "0:110" && heard.wrong == [])
    #expect(try repository.store().core().hub.evaluations - looks <= 40)
    token.invalidate()
    repository.closeChecked()
  }

  /// The store cannot be read any more, and all observers are notified, also those whose handlers take no errors.
  @Test func aMigrationByAnotherProcessEndsAllObservations() async throws {
    let directory = try TemporaryDirectory()
    var repository = StressMigrationRepository(version: 1, directory: directory.path)
    let events = Lock<[FiefError.Code?]>([])
    repository.storeOptions.eventHandler = { event in
      if case .failedRead(_, _, _, let error) = event { events.withLock { $0.append(code(error)) } }
    }
    try repository.fill()
    let errors = Lock<[FiefError.Code?]>([])
    let holders = repository.store().objects(StressHolderBefore.self)
    let holder = try #require(repository.object(ofType: StressHolderBefore.self, forPrimaryKey: 3))
    let tokens = [
      holders.observe { if case .error(let error) = $0 { errors.withLock { $0.append(code(error)) } } },
      holder.observe { if case .error(let error) = $0 { errors.withLock { $0.append(code(error)) } } },
      try repository.observe { _ in },
    ]
    let loop = Task.detached { for try await _ in holders.changes() {} }
    let core = try repository.store().core()
    while core.hub.state.withLock({ $0.observations.count }) < 4 {
      try await Task.sleep(for: .milliseconds(1))
    }
    core.hub.waitUntilDelivered()
    let (lines, _) = try CrashChild("evolve", directory.path).finish()
    #expect(lines.contains { $0.hasPrefix("migrated") })
    await #expect(throws: FiefError.self) { try await loop.value }
    try await until { errors.withLock { $0.count } == 2 && !events.withLock { $0.isEmpty } }
    #expect(
      errors.withLock { Set($0) } == [.schemaChanged] && events.withLock { Set($0) } == [.schemaChanged]
    )
    #expect(!core.hub.isActive)
    withExtendedLifetime(tokens) {}
    repository.close()
  }
}

/// The reports of accounts to a handler, and the contents that follow from them by the indexes alone.
final class HeardAccounts: Sendable {
  private struct State {
    var calls: [String] = []
    var contents: [String] = []
    var sums: Set<Int> = []
    var wrong: [String] = []
  }

  private let state = Lock(State())

  var calls: [String] { state.withLock { $0.calls } }
  var contents: [String] { state.withLock { $0.contents } }
  var sums: Set<Int> { state.withLock { $0.sums } }
  var wrong: [String] { state.withLock { $0.wrong } }

  static func contents(of accounts: Results<StressAccount>) -> [String] {
    accounts.map { "\($0.id):\($0.balance)" }
  }

  func note(_ change: RealmCollectionChange<Results<StressAccount>>) {
    switch change {
    case .initial(let accounts):
      let contents = Self.contents(of: accounts)
      state.withLock { state in
        state.calls.append("initial \(contents.count)")
        state.contents = contents
      }
      noteSum(of: accounts)
    case .update(let accounts, let deletions, let insertions, let modifications):
      let contents = Self.contents(of: accounts)
      let modified = change.newModifications
      state.withLock { state in
        state.calls.append("-\(deletions) +\(insertions) ~\(modifications)")
        for index in deletions.reversed() { state.contents.remove(at: index) }
        for index in insertions { state.contents.insert(contents[index], at: index) }
        for index in modified { state.contents[index] = contents[index] }
        if state.contents != contents { state.wrong.append("\(state.contents) is not \(contents)") }
      }
      noteSum(of: accounts)
    case .error(let error): state.withLock { $0.wrong.append("\(error)") }
    }
  }

  private func noteSum(of accounts: Results<StressAccount>) {
    let sum = accounts.sum(of: \.balance)
    _ = state.withLock { $0.sums.insert(sum) }
  }
}
