import LMDB

/// A write's way to its commit in one store, in steps that all kinds of writes take in this order: ``begin(_:)``,
/// ``prepare(_:)``, ``announce()``, the commit, and ``committed(_:)``; or ``failed(_:)`` in place of what is left.
///
/// The batch of the queue, `write { }`, a write that was begun and a write to several stores each have an LMDB transaction
/// of their own kind, and the scopes of their closures. An attempt that is repeated begins at ``begin(_:)`` again.
package struct CommitSession {
  package let core: StoreCore
  /// The observations that are not notified of the write.
  private let silent: Set<ObservationMachine.ID>
  /// What holds them meanwhile; nil where there are none.
  private let silentWrite: SilentWrite?
  private var changes: ChangeSet?
  /// The numbers of the commits that have changed the store: one at most, but for a write to several stores.
  private var numbers: [UInt64] = []
  /// What the attempt has put and deleted, by the labels of its callers.
  private var written: [(label: String?, tally: WriteTally)] = []
  /// When the write was ready to begin, when it began, and when its changes were made; nil where it is not measured.
  private var start: Int?
  private var begun: Int?
  private var end: Int?

  package init(_ core: StoreCore, silent: Set<ObservationMachine.ID> = []) {
    self.core = core
    self.silent = silent
    silentWrite = silent.isEmpty ? nil : SilentWrite(core.hub, silent)
    if core.slowness.commit != nil { start = core.slowness.now }
  }

  // MARK: Before the commit

  /// Begins an attempt, before the first change of its transaction.
  ///
  /// - Throws: ``FiefError`` of code `schemaChanged`, ``JointPending``.
  mutating func begin(_ transaction: LMDB.WritableTransaction) throws -> RecordWriter {
    written = []
    // Until now it may have waited for another process.
    if start != nil, begun == nil { begun = core.slowness.now }
    try checkSchema(transaction)
    try core.schemaGuard.checkMarkers(transaction, core.tables)
    silentWrite?.begin(at: observedState(transaction))
    return writer(transaction)
  }

  /// - Throws: ``FiefError`` of code `schemaChanged` where another process has migrated the store.
  package func checkSchema(_ transaction: LMDB.WritableTransaction) throws {
    try core.schemaGuard.check(transaction.id &- 1, transaction, core.tables)
  }

  /// What writes the records of an attempt.
  package func writer(_ transaction: LMDB.WritableTransaction) -> RecordWriter {
    let writer = RecordWriter(
      tables: core.tables,
      transaction: transaction,
      collectsChanges: core.hub.isActive || !core.commitHandlers.isEmpty
    )
    writer.readCommitted = { [environment = core.environment] body in try environment.read { try body($0) } }
    return writer
  }

  /// Takes the observations that are not notified, for a write that began before they were known.
  ///
  /// Nothing is committed meanwhile: the newest state is the one that the write began with.
  func takeObservations() throws {
    guard let silentWrite else { return }
    try core.environment.read { transaction in
      silentWrite.begin(at: observedState(transaction), commit: transaction.id)
    }
  }

  /// Takes the changes of an attempt whose scopes and trees are finished.
  mutating func prepare(_ writer: RecordWriter) {
    takeChanges(of: writer)
    if start != nil { end = core.slowness.now }
    let transaction = writer.transaction
    silentWrite?.end(changes, at: observedState(transaction))
    numbers = transaction.isChanged ? [transaction.id] : []
  }

  package mutating func takeChanges(of writer: RecordWriter) {
    changes = writer.takeChanges()
    note(writer.tally.take(), label: StoreUsage.label)
  }

  /// Notes what a caller's work has put and deleted.
  mutating func note(_ tally: WriteTally, label: String?) {
    if !tally.isEmpty { written.append((label, tally)) }
  }

  /// Announces the commit to readers. ``publish()`` or ``withdraw()`` follows.
  package func announce() { core.hub.willCommit() }

  // MARK: After the commit

  /// Ends a write with one scope that was committed.
  func committed(_ scope: WriteTransaction?) {
    noteNumber()
    scope?.end()
    scope?.didCommit()
    core.counters.count(works: 1, failures: 0)
    publish()
  }

  /// Remembers the commit's number, unless another commit may get it too.
  package func noteNumber() {
    if core.numbersCommits, let number = numbers.last { core.schemaGuard.note(number) }
  }

  /// Adds the number of a commit that is one of several.
  package mutating func add(_ number: UInt64) { numbers.append(number) }

  /// Publishes the commit, after the scopes of the write have ended.
  package func publish() {
    let committed = end == nil ? 0 : core.slowness.now
    if let number = numbers.last { core.recentPlaces.didCommit(number) }
    // A write that was begun by a call of its own has waited before that.
    defer { if let start, let end { report(start, begun ?? start, end, committed) } }
    if !written.isEmpty { core.counters.add(written) }
    if !core.commitHandlers.isEmpty { changes.map(core.commitHandlers.notify) }
    core.hub.didCommit(numbers, [CommittedChanges(changes: changes, silent: silent)])
    silentWrite?.didCommit(numbers.last)
    core.lookForLongReader()
  }

  private func report(_ start: Int, _ begun: Int, _ end: Int, _ committed: Int) {
    let published = core.slowness.now
    guard let limit = core.slowness.commit, published &- start > limit else { return }
    let commit = SlowCommit(
      waiting: .nanoseconds(begun &- start),
      changing: .nanoseconds(end &- begun),
      committing: .nanoseconds(committed &- end),
      publishing: .nanoseconds(published &- committed)
    )
    core.emit(.slowCommit(store: core.name, commit))
  }

  // MARK: Without a commit

  /// Ends a write that failed.
  ///
  /// - Parameter scope: its scope, where that is not rolled back yet.
  package func failed(_ scope: WriteTransaction? = nil) {
    scope?.rollBack()
    withdraw()
    core.counters.count(works: 1, failures: 1)
  }

  /// Takes the announcement back, where there was one, and gives the observations back that are not notified.
  package func withdraw() {
    core.hub.didNotCommit()
    silentWrite?.undo()
  }

  /// The state that a write has come to, for its observers.
  private func observedState(_ transaction: LMDB.Transaction) -> ObservedState {
    ObservedState(of: core, transaction)
  }
}

/// Thrown in a transaction whose work has failed, or was cancelled.
struct NothingToCommit: Error {}
