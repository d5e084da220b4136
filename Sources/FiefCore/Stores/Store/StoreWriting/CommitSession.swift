import LMDB

/// The steps of a write to its commit in one store. All kinds of writes follow this order: ``begin(_:)``,
/// ``prepare(_:)``, ``announce()``, the commit, and ``committed(_:)``. If a step fails, ``failed(_:)``
/// replaces the remaining steps.
///
/// A batch of the queue, a `write { }`, a begun write and a write to several stores each have their own kind
/// of LMDB transaction and scopes for their closures. An attempt that is repeated starts again at
/// ``begin(_:)``.
package struct CommitSession {
  package let core: StoreCore
  /// The observations that are not notified of the write.
  private let silent: Set<ObservationMachine.ID>
  /// Holds the observations that are not notified of the write, or nil if there are none.
  private let silentWrite: SilentWrite?
  private var changes: ChangeSet?
  /// The numbers of the commits that have changed the store. Only a write to several stores can have more
  /// than one.
  private var numbers: [UInt64] = []
  /// The objects and bytes that the attempt has written and deleted, by the labels of its callers.
  private var written: [(label: String?, tally: WriteTally)] = []
  /// The times at which the write was ready to begin, began, and had made its changes; nil if commits are not
  /// measured.
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
  /// - Throws: ``FiefError`` of code `schemaChanged`; ``JointPending``.
  mutating func begin(_ transaction: LMDB.WritableTransaction) throws -> RecordWriter {
    written = []
    // Until now, the write may have waited for another process.
    if start != nil, begun == nil { begun = core.slowness.now }
    try checkSchema(transaction)
    try core.schemaGuard.checkMarkers(transaction, core.tables)
    silentWrite?.begin(at: observedState(transaction))
    return writer(transaction)
  }

  /// - Throws: ``FiefError`` of code `schemaChanged` if another process has migrated the store.
  package func checkSchema(_ transaction: LMDB.WritableTransaction) throws {
    try core.schemaGuard.check(transaction.id &- 1, transaction, core.tables)
  }

  /// Returns the writer for the records of an attempt.
  package func writer(_ transaction: LMDB.WritableTransaction) -> RecordWriter {
    let writer = RecordWriter(
      tables: core.tables,
      transaction: transaction,
      collectsChanges: core.hub.isActive || !core.commitHandlers.isEmpty
    )
    writer.readCommitted = { [environment = core.environment] body in try environment.read { try body($0) } }
    return writer
  }

  /// Begins to hold the observations that are not notified, if they become known only after the write has
  /// begun.
  ///
  /// Nothing was committed in the meantime, so the newest state is the state in which the write began.
  func takeObservations() throws {
    guard let silentWrite else { return }
    try core.environment.read { transaction in
      silentWrite.begin(at: observedState(transaction), commit: transaction.id)
    }
  }

  /// Collects the changes of an attempt after its scopes and trees are finished.
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

  /// Records the objects and bytes that a caller's work has written and deleted.
  mutating func note(_ tally: WriteTally, label: String?) {
    if !tally.isEmpty { written.append((label, tally)) }
  }

  /// Announces the commit to readers. ``publish()`` or ``withdraw()`` follows.
  package func announce() { core.hub.willCommit() }

  // MARK: After the commit

  /// Ends a committed write with one scope.
  func committed(_ scope: WriteTransaction?) {
    noteNumber()
    scope?.end()
    scope?.didCommit()
    core.counters.count(works: 1, failures: 0)
    publish()
  }

  /// Records the commit's number, unless another commit may get the same number.
  package func noteNumber() {
    if core.numbersCommits, let number = numbers.last { core.schemaGuard.note(number) }
  }

  /// Adds the number of a commit, for a write with several commits.
  package mutating func add(_ number: UInt64) { numbers.append(number) }

  /// Publishes the commit, after the scopes of the write have ended.
  package func publish() {
    let committed = end == nil ? 0 : core.slowness.now
    if let number = numbers.last { core.recentPlaces.didCommit(number) }
    // For a begun write, the wait was before it began.
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
  /// - Parameter scope: the scope of the write, if it is not rolled back yet.
  package func failed(_ scope: WriteTransaction? = nil) {
    scope?.rollBack()
    withdraw()
    core.counters.count(works: 1, failures: 1)
  }

  /// Withdraws the announcement, if there was one, and releases the observations that are not notified.
  package func withdraw() {
    core.hub.didNotCommit()
    silentWrite?.undo()
  }

  /// Returns the current state of a write, for its observers.
  private func observedState(_ transaction: LMDB.Transaction) -> ObservedState {
    ObservedState(of: core, transaction)
  }
}

/// Thrown in a transaction whose work has failed or was cancelled.
struct NothingToCommit: Error {}
