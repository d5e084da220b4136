import LMDB

extension StoreCore {
  /// Runs a batch of the write queue in one transaction and commits it.
  ///
  /// A result is a success only after the commit. A failure affects only its own work, which either fails
  /// before its first change or runs in a nested transaction.
  func execute(_ batch: [WriteWork]) -> [Result<WriteReceipt, any Error>] {
    if isReadOnly { return batch.map { _ in .failure(readOnlyError) } }
    if batch.count == 1 {
      let results = commit(batch[...])
      let failures = results.count { !$0.isSuccess }
      if !batch[0].isUncounted { counters.count(works: results.count, failures: failures) }
      return results
    }
    var results: [Result<WriteReceipt, any Error>] = []
    var rest = batch[...]
    // Work that does not notify some observations is committed alone, because these observations are
    // evaluated directly before and after it.
    while let alone = rest.firstIndex(where: { !$0.silent.isEmpty }) {
      if alone > rest.startIndex { results += commit(rest[..<alone]) }
      results += commit(rest[alone...alone])
      rest = rest[(alone + 1)...]
    }
    if !rest.isEmpty { results += commit(rest) }
    let counted = zip(batch, results).filter { !$0.0.isUncounted }
    counters.count(works: counted.count, failures: counted.count { !$0.1.isSuccess })
    return results
  }

  /// Commits several items of work together. If the disk or the map is too small for all of them, each half
  /// of the batch is committed separately.
  ///
  /// - Parameter batch: several items, or one item that does not notify some observations.
  private func commit(_ batch: ArraySlice<WriteWork>) -> [Result<WriteReceipt, any Error>] {
    var session = CommitSession(self, silent: batch.first?.silent ?? [])
    var results: [Result<WriteReceipt, any Error>] = []
    var scopes: [WriteTransaction] = []
    do {
      let usesReserve = batch.allSatisfy(\.onlyDeletes)
      try settled {
        try environment.write(usingReserve: usesReserve) { transaction in
          results = []
          scopes.reversed().forEach { $0.rollBack() }
          scopes = []
          let writer = try session.begin(transaction)
          for work in batch {
            results.append(
              Result { try perform(work, alone: batch.count == 1, writer, &scopes) }
            )
            session.note(writer.tally.take(), label: work.label)
          }
          try writer.finishTrees()
          // If all work has failed, there is nothing to commit. Work that failed alone is rolled back.
          guard results.contains(where: \.isSuccess) else { throw NothingToCommit() }
          session.prepare(writer)
          session.announce()
          results = results.map { result in
            result.map {
              WriteReceipt(transaction: transaction.id, rowIDs: $0.rowIDs, written: $0.written)
            }
          }
        }
      }
    } catch {
      // An object may have joined several of the scopes. It gets the state from before the first one.
      scopes.reversed().forEach { $0.rollBack() }
      // An earlier attempt may have announced its commit.
      session.withdraw()
      if error is NothingToCommit { return results }
      if batch.count > 1, let error = error as? LMDBError, error.code == .diskFull || error.code == .mapFull {
        let middle = batch.startIndex + batch.count / 2
        return commit(batch[..<middle]) + commit(batch[middle...])
      }
      return (0..<batch.count).map { index in
        guard index < results.count, case .failure(let own) = results[index] else {
          return .failure(described(error))
        }
        return .failure(own)
      }
    }
    session.noteNumber()
    scopes.forEach { $0.didCommit() }
    for (work, result) in zip(batch, results) where result.isSuccess {
      work.confirmRowIDs()
      if work.isUncounted { counters.ledger?.didKeep() }
    }
    session.publish()
    return results
  }

  private func perform(
    _ work: WriteWork,
    alone: Bool,
    _ writer: RecordWriter,
    _ scopes: inout [WriteTransaction]
  ) throws -> WriteReceipt {
    do {
      if alone || work.failsBeforeChanging { return try perform(work, writer, &scopes) }
      var inner: [WriteTransaction] = []
      do {
        let receipt = try writer.nested { try perform(work, $0, &inner) }
        scopes += inner
        return receipt
      } catch {
        inner.reversed().forEach { $0.rollBack() }
        throw error
      }
    } catch {
      throw described(error)
    }
  }

  private func perform(
    _ work: WriteWork,
    _ writer: RecordWriter,
    _ scopes: inout [WriteTransaction]
  ) throws -> WriteReceipt {
    switch work {
    case .changes(let changes):
      try writer.perform(changes)
      if changes.expected != nil { return WriteReceipt(written: try writer.written(changes)) }
    case .batch(let batch, _):
      try writer.perform(batch)
    case .body(let body, _, _):
      let scope = WriteTransaction(store: self, writer: writer)
      do {
        try run(body, in: scope)
        try scope.finish()
      } catch {
        scope.rollBack()
        throw error
      }
      scope.end()
      scopes.append(scope)
    case .reserveRowIDs(let table, let count):
      return WriteReceipt(rowIDs: try writer.reserveRowIDs(count, for: table))
    case .keepUsage:
      try counters.ledger?.keep(tables.catalogueTree, in: writer.transaction)
    case .labelled(let work, let label):
      return try StoreUsage.withLabel(label) { try perform(work, writer, &scopes) }
    }
    return WriteReceipt()
  }

  /// Submits work to the write queue and blocks until it is durable.
  package func submit(_ work: WriteWork, bytes: Int = 0) throws -> WriteReceipt {
    if isReadOnly { throw readOnlyError }
    try checkNoTransaction()
    try checkNoOtherWrite()
    hub.endScopeForWriting()
    do { return try queue().perform(work.labelled, bytes: bytes) } catch { throw described(error) }
  }

  /// Submits work to the write queue and suspends until it is durable.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` on a thread with an active begun write, because the task
  ///   would wait for itself.
  package nonisolated(nonsending) func submit(_ work: WriteWork, bytes: Int = 0) async throws -> WriteReceipt
  {
    if isReadOnly { throw readOnlyError }
    try checkNoTransaction()
    if activeWrite != nil {
      throw FiefError(.nestedWrite, FiefError.nestedWriteMessage, store: name)
    }
    do { return try await queue().perform(work.labelled, bytes: bytes) } catch { throw described(error) }
  }

  /// The active write of this thread.
  var activeWrite: WriteTransaction? { active.current }

  /// The active write of this thread, or the snapshot of its handler if all reads of the handler use the
  /// snapshot. Without such a scope the thread reads the newest state.
  ///
  /// - Parameter visible: the types that the reading handle declares; nil if it declares all types.
  func readingScope(seeing visible: VisibleTypes?) -> AccessScope? {
    if let write = activeWrite { return write }
    guard let scope = DeliveryScope.shown, scope.store === self, !isClosed else { return nil }
    return scope.snapshot(seeing: visible)
  }

  package var readOnlyError: FiefError {
    FiefError(.readOnlyStore, "The store was opened for reading only.", store: name)
  }

  /// Runs a closure on the caller's thread in a separate transaction, when its turn in the queue comes.
  ///
  /// - Parameter silent: the observations that are not notified of the write.
  package func write<Value>(
    silent: Set<ObservationMachine.ID> = [],
    _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
    if isReadOnly { throw readOnlyError }
    try checkNoTransaction()
    try checkNoOtherWrite()
    hub.endScopeForWriting()
    let queue = try queue()
    try beginTurn(in: queue)
    defer { endTurn(in: queue) }
    var session = CommitSession(self, silent: silent)
    var last: WriteTransaction?
    var cancelled: Value?
    let value: Value
    do {
      value = try settled {
        try environment.write { transaction in
          last?.rollBack()
          let writer = try session.begin(transaction)
          let scope = WriteTransaction(store: self, writer: writer)
          scope.cancellation = .allowed
          last = scope
          let value = try run(body, in: scope)
          if scope.cancellation == .done {
            cancelled = value
            throw NothingToCommit()
          }
          try scope.finish()
          session.prepare(writer)
          session.announce()
          return value
        }
      }
    } catch {
      session.failed(last)
      if error is NothingToCommit, let cancelled { return cancelled }
      throw described(error)
    }
    session.committed(last)
    return value
  }

  /// Waits for a turn of the queue. The turn lasts until ``endTurn(in:)``.
  ///
  /// The generic ``write(silent:_:)`` would call generic methods of the queue unspecialised, and the runtime
  /// would look up about twenty types for each write.
  private func beginTurn(in queue: WriteQueue<WriteWork, WriteReceipt>) throws { try queue.beginTurn() }

  private func endTurn(in queue: WriteQueue<WriteWork, WriteReceipt>) { queue.endTurn() }

  /// Calls a closure with its scope, which is the active scope of the thread during the call.
  private func run<Value>(_ body: (WriteTransaction) throws -> Value, in scope: WriteTransaction) rethrows
    -> Value
  {
    try WritingThreads.run([name], [scope]) { try active.with(scope) { try body(scope) } }
  }
}

extension Result {
  fileprivate var isSuccess: Bool {
    switch self {
    case .success: true
    case .failure: false
    }
  }
}
