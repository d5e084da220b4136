import Dispatch
import LMDB

/// Writes that are begun and ended by calls of their own.
extension StoreCore {
  /// How much such a write may add to the file before the store has to grow, which it cannot wait for, in bytes.
  private static let room = 64 << 20
  /// After how many seconds a write is reported that does not end.
  private static let patience = 10

  /// Begins a write on the calling thread, in its turn of the write queue.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` inside of a write, `readOnlyStore`, `storeClosed` and others.
  func beginWrite(seeing visible: VisibleTypes?) throws {
    if isReadOnly { throw readOnlyError }
    if activeWrite != nil {
      throw FiefError(.nestedWrite, "A write was begun inside another write.", store: name)
    }
    guard BegunWrite.isPossible else {
      throw FiefError(.storage, "The system has no room for what belongs to a thread.", store: name)
    }
    try checkNoOtherWrite()
    hub.endScopeForWriting()
    let queue = try queue()
    try queue.beginTurn()
    do {
      // Where it cannot grow now, the commit says that it has to.
      try? environment.reserveMap(beyondFile: Self.room)
      let held = try settled { try heldWrite() }
      _ = BegunWrite(self, queue, held, seeing: visible)
    } catch {
      queue.endTurn()
      throw described(error)
    }
    watchBegunWrite()
  }

  private func heldWrite() throws -> HeldWrite {
    let held = try environment.beginWrite()
    do { try checkSchema(held.transaction) } catch {
      held.abort()
      throw error
    }
    return held
  }

  /// The write that the calling thread has begun in this store.
  ///
  /// - Throws: ``FiefError`` of code `transactionEnded` where there is none.
  func begunWriteOfThread() throws -> BegunWrite {
    if let write = BegunWrite.current, write.core === self { return write }
    throw FiefError(
      .transactionEnded,
      activeWrite == nil
        ? "No write of the store was begun on this thread." : "A write { } commits when its closure returns.",
      store: name
    )
  }

  /// Before the store is closed: the calling thread's own write is cancelled; for that of another thread is waited.
  func leaveBegunWrite() {
    if let write = BegunWrite.current, write.core === self {
      write.cancel()
      reportBegun("The store was closed inside of a write that was begun; nothing of the write is kept.")
    } else if begunWrite.load(ordering: .sequentiallyConsistent) != 0 {
      reportBegun("The store is closed when the write has ended that another thread has begun.")
    }
  }

  /// Reports a begun write that holds up all others for long.
  private func watchBegunWrite() {
    if watchesBegunWrite.exchange(true, ordering: .sequentiallyConsistent) { return }
    look(for: begunWrite.load(ordering: .sequentiallyConsistent))
  }

  private func look(for write: UInt64) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience)) { [self] in
      let current = begunWrite.load(ordering: .sequentiallyConsistent)
      if current == write, current != 0 {
        reportBegun(
          "A write that was begun has not ended for long; all other writes of the store wait for it."
        )
      } else if current != 0 {
        return look(for: current)
      }
      watchesBegunWrite.store(false, ordering: .sequentiallyConsistent)
      // One may have begun in between.
      if begunWrite.load(ordering: .sequentiallyConsistent) != 0 { watchBegunWrite() }
    }
  }

  private func reportBegun(_ message: String) {
    emit(.misuse(FiefError(.transactionEnded, message, store: name)))
  }
}

extension Store {
  /// Begins a write on the calling thread, which goes on until it is committed or cancelled there.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` inside of a write, `readOnlyStore`, `storeClosed` and others.
  package func beginHeldWrite() throws { try core().beginWrite(seeing: visible) }

  /// Commits the write that the calling thread has begun.
  ///
  /// - Throws: ``FiefError``, with nothing kept.
  package func commitHeldWrite(withoutNotifying tokens: [NotificationToken]) throws {
    let core = try core()
    try core.begunWriteOfThread().commit(silent: core.hub.observations(of: tokens))
  }

  /// Ends the write of the calling thread, begun or a closure's; nothing of it is kept.
  ///
  /// - Throws: ``FiefError`` of code `transactionEnded` where there is none, or where it cannot end here.
  package func cancelHeldWrite() throws {
    let core = try core()
    if BegunWrite.current?.core !== core, let write = core.activeWrite { return try write.cancel() }
    try core.begunWriteOfThread().cancel()
  }

  /// Suspends until the writes before this call are done.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` inside of a write, `cancelled`, `readOnlyStore`, `storeClosed`.
  nonisolated(nonsending) package func waitForEarlierWrites() async throws {
    let core = try core()
    if core.activeWrite != nil {
      throw FiefError(.nestedWrite, "A write was begun inside another write.", store: core.name)
    }
    _ = try await core.submit(.body({ _ in }))
  }

  /// Whether writes wait for their turn.
  package var hasWaitingWrites: Bool {
    guard let core = openedCore, !core.isClosed, let queue = try? core.queue() else { return false }
    let statistics = queue.statistics
    return statistics.pending + statistics.waitingForRoom > 0
  }

  /// Reports a use that is an error where nothing can be thrown.
  package func reportMisuse(_ error: any Error) {
    guard let core = openedCore, let error = error as? FiefError else { return report(error, type: nil) }
    core.emit(.misuse(error))
  }
}
