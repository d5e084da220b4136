import Fief
import FiefTesting
import Foundation
import LMDB
import Testing

@testable import FiefCore

@Suite struct UsageRecordTests {
  private let start = Date(timeIntervalSinceReferenceDate: 0)

  private func entry(_ reads: UInt64, _ label: String? = nil) -> UsageLedger.Entry {
    var counts = Usage.Counts()
    counts.reads = reads
    return UsageLedger.Entry(type: "Dog", label: label, counts: counts)
  }

  private func machine(_ limit: Int, kept: UsageRecord = UsageRecord()) -> BudgetMachine {
    BudgetMachine(store: "pets", [Budget(.reads, limit: limit, per: .day) { _ in }], kept: kept, at: start)
  }

  /// Two processes store the sum of their use. A process that reads the other's use reports the limits that
  /// the sum has reached.
  @Test func processesAddToWhatIsKept() {
    var (one, two) = (machine(20), machine(20))
    #expect(one.add([entry(15)], at: start).isEmpty)
    #expect(two.add([entry(15, "a")], at: start).isEmpty)
    var stored = one.beginKeeping(UsageRecord())
    #expect(one.didKeep(at: start).isEmpty)
    stored = two.beginKeeping(stored)
    #expect(two.didKeep(at: start).map(\.used) == [30])
    #expect(stored.usage(per: .day, store: "pets").total.reads == 30)
    #expect(stored.usage(per: .day, store: "pets").labels["a"]?.reads == 15)
    #expect(one.pending.isEmpty && two.pending.isEmpty)
    // A commit that failed keeps what is pending.
    #expect(two.add([entry(1)], at: start).isEmpty)
    _ = two.beginKeeping(stored)
    two.didNotKeep()
    #expect(!two.pending.isEmpty)
    stored = two.beginKeeping(stored)
    _ = two.didKeep(at: start)
    #expect(stored.usage(per: .total, store: "pets").total.reads == 31)
  }

  @Test func whatIsUsedWhileACommitKeepsIsKeptNext() {
    var machine = machine(1_000)
    _ = machine.add([entry(10)], at: start)
    let stored = machine.beginKeeping(UsageRecord())
    _ = machine.add([entry(5)], at: start)
    _ = machine.didKeep(at: start)
    #expect(stored[.day].types["Dog"]?.reads == 10)
    #expect(machine.pending[.day].types["Dog"]?.reads == 5 && machine.known[.day].types["Dog"]?.reads == 15)
  }

  @Test func windowsThatHaveEndedAreNotKept() {
    var machine = machine(20)
    #expect(machine.add([entry(25)], at: start).count == 1)
    let stored = machine.beginKeeping(UsageRecord())
    _ = machine.didKeep(at: start)
    let next = start.addingTimeInterval(86_400)
    #expect(machine.add([entry(3)], at: next).isEmpty)
    let sum = machine.beginKeeping(stored)
    #expect(sum[.day].types["Dog"]?.reads == 3 && sum[.hour].types["Dog"]?.reads == 3)
    #expect(sum[.total].types["Dog"]?.reads == 28)
  }

  @Test func timesBeyondAllReasonAreSomeWindow() {
    for seconds in [Double.nan, .infinity, -1e300, 1e300] {
      let date = Date(timeIntervalSince1970: seconds)
      for period in Budget.Period.allCases { #expect(period.window(at: date) == 0) }
    }
  }

  @Test func failuresAreReportedOnceUntilItIsKept() {
    var options = StoreOptions()
    options.keepsUsage = true
    let ledger = UsageLedger(store: "pets", options, kept: UsageRecord())
    ledger.add([entry(1)])
    #expect(ledger.didFail())
    #expect(!ledger.didFail())
    ledger.didNotKeep()
    #expect(!ledger.didFail())
    ledger.didKeep()
    #expect(ledger.didFail() && ledger.isPending)
  }

  /// A queue without room is no failure: the usage is kept later.
  @Test func queueThatIsFullIsNoFailure() async throws {
    let events = Lock<[StoreEvent]>([])
    var options = StoreOptions()
    options.keepsUsage = true
    options.maximumWaitingBytes = 1
    options.eventHandler = { event in if event.isFailure { events.withLock { $0.append(event) } } }
    let directory = try TemporaryDirectory()
    let repository = UsageStores.repository(options, in: directory.path)
    let core = try #require(repository.store().openedCore)
    try core.queue().pause()
    repository.store().writeAsync { try $0.add(UsageStores.dog(1)) }
    _ = repository.store().object(ofType: UsageDog.self, forPrimaryKey: "dog1")
    try core.queue().resume()
    try await repository.writes.waitUntilIdle()
    repository.store().close()
    #expect(events.withLock { $0.map { $0.failure?.code } } == [])
    #expect(repository.store().usage(per: .total)?.total.reads == 1)
    #expect(repository.store().usage(per: .total)?.total.writes == 1)
    repository.store().close()
  }

  /// A row that is damaged loses the counts, and nothing else.
  @Test func damageIsReportedAndMended() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "usage-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let events = Lock<[StoreEvent]>([])
    var options = StoreOptions()
    options.keepsUsage = true
    options.eventHandler = { event in if event.isFailure { events.withLock { $0.append(event) } } }
    let repository = UsageStores.repository(options, in: directory)
    try repository.saveAndWait(entity: UsageStores.dog(1))
    repository.store().close()
    #expect(repository.store().usage(per: .total)?.total.writes == 1)
    let core = try #require(repository.store().openedCore)
    try core.environment.write { transaction in
      try UsageRecord.key.withUnsafeBytes { key in
        try [UInt8](repeating: 7, count: 50).withUnsafeBytes {
          try transaction.put(core.tables.catalogueTree, key, $0)
        }
      }
    }
    #expect(try repository.check().problems.count == 1)
    repository.store().close()
    #expect(repository.store().usage(per: .total)?.total.writes == 0)
    #expect(events.withLock { $0.map { $0.failure?.code } } == [.damagedStore])
    try repository.saveAndWait(entity: UsageStores.dog(2))
    repository.store().close()
    #expect(try repository.check().isConsistent)
    #expect(repository.store().usage(per: .total)?.total.writes == 1)
    let dynamic = try DynamicStore(directory: try #require(repository.store().directory))
    #expect(try dynamic.read { try $0.keptUsage() }?.usage(per: .day, store: "usage").total.writes == 1)
    repository.store().close()
  }

  /// A copy of a store has the usage with it, and a migration keeps it.
  @Test func migrationKeepsIt() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "usage-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var options = StoreOptions()
    options.keepsUsage = true
    let old = UsageStores.repository(options, in: directory)
    try old.saveAndWait(entity: UsageStores.dog(1))
    old.store().close()
    let new = TestRepository(
      "usage",
      in: directory,
      version: 2,
      objectTypes: [UsageDog.self, UsageOwner.self, UsageBook.self],
      options: options
    )
    #expect(new.store().openingError == nil && new.store().usage(per: .total)?.total.writes == 1)
    try new.compact()
    #expect(new.store().usage(per: .total)?.total.writes == 1)
    #expect(try new.check().isConsistent)
    new.store().close()
  }
}
