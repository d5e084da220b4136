import Fief
import FiefStress
import FiefTesting
import Foundation
import Testing

@Suite struct BudgetTests {
  private static let day: TimeInterval = 86_400
  private let clock = ManualClock()
  private let notices = UsageNotices()

  private func options(_ budgets: (@escaping @Sendable (BudgetNotice) -> Void) -> [Budget]) -> StoreOptions {
    var options = StoreOptions()
    options.clock = clock.read
    let notices = notices
    options.budgets = budgets { notices.append($0) }
    return options
  }

  private func read(_ store: Store, _ count: Int) {
    for _ in 0..<count { _ = store.object(ofType: UsageDog.self, forPrimaryKey: "dog1") }
  }

  @Test(arguments: StoreKind.allCases) func handlerIsCalledOnceForEachWindow(_ kind: StoreKind) throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options { [Budget(.reads, limit: 20, per: .day, handler: $0)] }),
      kind
    )
    try fixture.saveAndWait(entity: UsageStores.dog(1))
    let store = fixture.store()
    read(store, 19)
    store.waitForHandlers()
    #expect(notices.used == [])
    read(store, 1)
    store.waitForHandlers()
    #expect(notices.used == [20])
    read(store, 1_000)
    store.waitForHandlers()
    #expect(notices.used == [20])
    clock.advance(by: Self.day)
    read(store, 25)
    store.waitForHandlers()
    #expect(notices.used == [20, 20])
    #expect(store.usage(per: .day)?.total.reads == 25 && store.usage(per: .total)?.total.reads == 1_045)
  }

  @Test func fractionsAndSubjectsAreTheirOwn() throws {
    let fixture = try StoreFixture(
      UsageStores.repository(
        options {
          [
            Budget(
              .writes,
              limit: 30,
              per: .hour,
              of: .type("UsageDog"),
              at: [1, 0.1, -1, 0.5],
              handler: $0
            ),
            Budget(.writes, limit: 2, per: .total, of: .label("import"), handler: $0),
            Budget(.deletes, limit: 1, per: .total, of: .type("UsageOwner"), handler: $0),
          ]
        }
      ),
      .inMemory
    )
    let store = fixture.store()
    try fixture.saveAndWait(entities: (0..<3).map(UsageStores.dog))
    store.waitForHandlers()
    // A tenth of thirty is three.
    #expect(notices.fractions == [0.1])
    try fixture.saveAndWait(entities: (3..<30).map(UsageStores.dog))
    store.waitForHandlers()
    #expect(notices.fractions == [0.1, 0.5, 1])
    try StoreUsage.withLabel("import") { try fixture.saveAndWait(entities: (30..<32).map(UsageStores.dog)) }
    store.waitForHandlers()
    #expect(notices.used == [3, 30, 30, 2])
  }

  @Test func restartDoesNotForget() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "budget-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let repository = UsageStores.repository(
      options { [Budget(.reads, limit: 20, per: .day, of: .label("profile"), handler: $0)] },
      in: directory
    )
    try repository.saveAndWait(entity: UsageStores.dog(1))
    StoreUsage.withLabel("profile") { read(repository.store(), 15) }
    repository.close()
    #expect(notices.used == [])
    #expect(repository.store().usage(per: .day)?.labels["profile"]?.reads == 15)
    StoreUsage.withLabel("profile") { read(repository.store(), 5) }
    repository.store().waitForHandlers()
    #expect(notices.used == [20])
    repository.close()
    // What is reached already is not reported again.
    StoreUsage.withLabel("profile") { read(repository.store(), 5) }
    repository.store().waitForHandlers()
    #expect(notices.used == [20])
    repository.close()
    clock.advance(by: Self.day)
    StoreUsage.withLabel("profile") { read(repository.store(), 20) }
    repository.store().waitForHandlers()
    #expect(notices.used == [20, 20])
    #expect(try repository.check().isConsistent)
    repository.close()
  }

  /// However many labels there are, those of budgets are told apart, and after a restart too.
  @Test func labelsOfBudgetsAreToldApart() throws {
    let directory = try TemporaryDirectory()
    let repository = UsageStores.repository(
      options { handler in
        (0..<300).map { Budget(.reads, limit: 2, per: .total, of: .label("budget \($0)"), handler: handler) }
      },
      in: directory.path
    )
    try repository.saveAndWait(entity: UsageStores.dog(1))
    for number in 0..<300 { StoreUsage.withLabel("other \(number)") { read(repository.store(), 1) } }
    for number in 0..<300 { StoreUsage.withLabel("budget \(number)") { read(repository.store(), 1) } }
    repository.close()
    #expect(notices.used.isEmpty)
    for number in [0, 255, 256, 299] {
      StoreUsage.withLabel("budget \(number)") { read(repository.store(), 1) }
      repository.store().waitForHandlers()
    }
    #expect(notices.used == [2, 2, 2, 2])
    let labels = try #require(repository.store().usage(per: .total)?.labels)
    #expect(labels.keys.count { $0.hasPrefix("budget ") } == 300)
    #expect(
      labels.keys.count { $0.hasPrefix("other ") } == 256 && labels[StoreUsage.otherLabels]?.reads == 44
    )
    repository.close()
  }

  /// After a kill what was kept goes on.
  @Test func killDoesNotForgetWhatWasKept() throws {
    let directory = try TemporaryDirectory()
    let child = try CrashChild("usage", directory.path)
    let (lines, end) = try child.kill(microseconds: 0, after: "kept")
    #expect(lines == ["kept"] && end == .killed)
    let repository = TestRepository(
      "tally",
      in: directory.path,
      version: 1,
      objectTypes: [StressTally.self],
      options: options { [Budget(.writes, limit: 12, per: .total, at: [0.5, 1], handler: $0)] }
    )
    #expect(repository.store().usage(per: .total)?.total.writes == 10)
    try repository.saveAndWait(entities: (20..<22).map { StressTally(value: ["id": $0]) })
    repository.store().waitForHandlers()
    // Half of it was reached when the store was opened.
    #expect(notices.used == [12] && notices.fractions == [1])
    #expect(try repository.check().problems == [])
    repository.close()
  }

  @Test func storeThatIsOnlyReadHasItsBudgetsAndKeepsNothing() throws {
    let directory = try TemporaryDirectory()
    let events = Lock<[StoreEvent]>([])
    var options = options { [Budget(.reads, limit: 5, per: .total, handler: $0)] }
    options.eventHandler = { event in if event.isFailure { events.withLock { $0.append(event) } } }
    let writer = UsageStores.repository(in: directory.path)
    try writer.saveAndWait(entity: UsageStores.dog(1))
    writer.close()
    options.isReadOnly = true
    let reader = UsageStores.repository(options, in: directory.path)
    read(reader.store(), 4)
    #expect(notices.used.isEmpty)
    read(reader.store(), 2)
    reader.store().waitForHandlers()
    #expect(notices.used == [5] && reader.store().usage(per: .total)?.total.reads == 6)
    reader.close()
    #expect(reader.store().usage(per: .total)?.total.reads == 0)
    reader.close()
    #expect(events.withLock { $0.isEmpty })
  }

  @Test func clockThatIsSetBackGoesOnInTheLaterWindow() throws {
    let fixture = try StoreFixture(
      UsageStores.repository(options { [Budget(.reads, limit: 20, per: .hour, handler: $0)] }),
      .inMemory
    )
    let store = fixture.store()
    try fixture.saveAndWait(entity: UsageStores.dog(1))
    read(store, 20)
    clock.advance(by: -10)
    read(store, 20)
    store.waitForHandlers()
    #expect(notices.used == [20] && store.usage(per: .hour)?.total.reads == 40)
    // By more than a window it is another hour.
    clock.advance(by: -7200)
    read(store, 20)
    store.waitForHandlers()
    #expect(notices.used == [20, 20])
  }

  @Test func storeWithoutBudgetsKeepsNothing() throws {
    let fixture = try StoreFixture(UsageStores.repository(), .onDisk)
    let store = fixture.store()
    try fixture.saveAndWait(entity: UsageStores.dog(1))
    #expect(store.usage(per: .day) == nil)
    let commits = store.metrics.commits
    read(store, 100)
    #expect(store.metrics.commits == commits)
  }
}
