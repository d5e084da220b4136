import Dispatch
import LMDB
import Synchronization

/// Writes that are begun and ended by separate calls.
extension StoreCore {
  /// Begins a write on the calling thread, when its turn in the write queue comes.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` in a write, `readOnlyStore`, `storeClosed` and others.
  func beginWrite(seeing visible: VisibleTypes?) throws {
    if isReadOnly { throw readOnlyError }
    if activeWrite != nil {
      throw FiefError(.nestedWrite, FiefError.nestedWriteMessage, store: name)
    }
    guard BegunWrite.isPossible else { throw noRoomForThread }
    try checkNoTransaction()
    try checkNoOtherWrite()
    hub.endScopeForWriting()
    let queue = try queue()
    try queue.beginTurn()
    let write: BegunWrite
    do {
      // If the file cannot grow now, the commit fails with the reason.
      try? environment.reserveMap(beyondFile: begunLimits.withLock { $0.room })
      let (held, writer) = try settled { try heldWrite() }
      write = BegunWrite(self, queue, held, writer, seeing: visible)
    } catch {
      queue.endTurn()
      throw described(error)
    }
    guard BegunWrite.current === write else {
      // Nothing could end the write later.
      write.cancel()
      throw noRoomForThread
    }
    watchBegunWrite()
  }

  private var noRoomForThread: FiefError {
    FiefError(.storage, "The system has no memory for thread-specific data.", store: name)
  }

  private func heldWrite() throws -> (ParticipantWrite, RecordWriter) {
    let held = try environment.beginWrite()
    var session = CommitSession(self)
    do { return (held, try session.begin(held.transaction)) } catch {
      held.abort()
      throw error
    }
  }

  /// Returns the write that the calling thread has begun in this store.
  ///
  /// - Throws: ``FiefError`` of code `transactionEnded` if there is no such write.
  func begunWriteOfThread() throws -> BegunWrite {
    if let write = BegunWrite.current, write.core === self { return write }
    throw FiefError(.transactionEnded, whyNoneWasBegun, store: name)
  }

  private var whyNoneWasBegun: String {
    if activeWrite != nil { return "A write { } commits when its closure returns." }
    return begunWrite.load(ordering: .sequentiallyConsistent) == 0
      ? "No write of the store was begun on this thread."
      : "No write of the store was begun on this thread. Another thread began one and must end it. A task may resume on another thread after an await."
  }

  /// Called before the store is closed. Cancels the calling thread's own begun write. If another thread has
  /// begun a write, reports that closing waits for it.
  func leaveBegunWrite() {
    guard environment.isOfThisProcess else { return }
    if let write = BegunWrite.current, write.core === self {
      write.cancel()
      reportBegun("The store was closed inside a write from beginWrite(); the write was discarded.")
    } else if begunWrite.load(ordering: .sequentiallyConsistent) != 0 {
      reportBegun("The store closes after the write that another thread began has ended.")
    }
  }

  /// Reports a begun write that blocks all other writes for too long.
  private func watchBegunWrite() {
    if watchesBegunWrite.exchange(true, ordering: .sequentiallyConsistent) { return }
    look(for: begunWrite.load(ordering: .sequentiallyConsistent))
  }

  private func look(for write: UInt64) {
    let patience = begunLimits.withLock { $0.patience }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [self] in
      let current = begunWrite.load(ordering: .sequentiallyConsistent)
      if current == write, current != 0 {
        reportBegun(
          "A write from beginWrite() has been active for long; all other writes of the store wait for it."
        )
      } else if current != 0 {
        return look(for: current)
      }
      watchesBegunWrite.store(false, ordering: .sequentiallyConsistent)
      // Another write may have begun in between. A reported write is not reported again.
      let next = begunWrite.load(ordering: .sequentiallyConsistent)
      if next != 0, next != current { watchBegunWrite() }
    }
  }

  private func reportBegun(_ message: String) {
    emit(.misuse(FiefError(.transactionEnded, message, store: name)))
  }
}

extension Store {
  /// Begins a write on the calling thread, which lasts until it is committed or cancelled there.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` in a write, `readOnlyStore`, `storeClosed` and others.
  package func beginHeldWrite() throws { try core().beginWrite(seeing: visible) }

  /// Commits the write that the calling thread has begun.
  ///
  /// - Throws: ``FiefError``; nothing is then committed.
  package func commitHeldWrite(withoutNotifying tokens: [NotificationToken]) throws {
    let core = try coreToEndWrite()
    try core.begunWriteOfThread().commit(silent: core.hub.observations(of: tokens))
  }

  /// Returns the store of a write that is about to end. The store may be closing, because a thread that
  /// closes it waits for the write.
  private func coreToEndWrite() throws -> StoreCore {
    guard let core = openedCore, BegunWrite.current?.core === core else { return try core() }
    guard core.environment.isOfThisProcess else {
      throw FiefError(.forkedProcess, FiefError.forkedMessage, store: core.name)
    }
    return core
  }

  /// Ends the active write of the calling thread, whether it was begun or belongs to a closure, and discards
  /// its changes.
  ///
  /// - Throws: ``FiefError`` of code `transactionEnded` if there is no write, or if it cannot end here.
  package func cancelHeldWrite() throws {
    let core = try coreToEndWrite()
    if BegunWrite.current?.core !== core, let write = core.activeWrite { return try write.cancel() }
    try core.begunWriteOfThread().cancel()
  }

  /// Suspends until the writes before this call are done.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` in a write, `cancelled`, `readOnlyStore`, `storeClosed`.
  nonisolated(nonsending) package func waitForEarlierWrites() async throws {
    _ = try await core().submit(.body({ _ in }))
  }

  /// Whether writes wait for their turn, or the write queue is executing them.
  package var hasWaitingWrites: Bool {
    guard let core = openedCore, !core.isClosed, let queue = try? core.queue() else { return false }
    return queue.hasWork || core.laterWrites.hasAny
  }

  /// Changes the limits of begun writes, for tests.
  package func limitBegunWrites(_ change: (inout BegunWriteLimits) -> Void) throws {
    try core().begunLimits.withLock { change(&$0) }
  }

  /// Reports misuse in a call that cannot throw.
  package func reportMisuse(_ error: any Error) {
    guard let core = openedCore, let error = error as? FiefError else { return report(error, type: nil) }
    core.emit(.misuse(error))
  }
}
