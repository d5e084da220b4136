import CLMDB
import Synchronization

/// A write transaction that lasts until a call commits it or rolls it back. It is used to commit several
/// environments in a specific order.
///
/// It stays on the thread that began it, holds the environment's writer lock until it ends, and ends once. It
/// cannot end on another thread, because LMDB's lock belongs to the thread: calls on another thread throw
/// `incompatible`, and a transaction that is released there ends when its own thread next writes. Several
/// transactions must be begun in the same order in all processes.
@usableFromInline package final class ParticipantWrite {
  /// The transaction. It ends together with this object.
  @usableFromInline package let transaction: WritableTransaction
  private let environment: Environment
  private let session: WriteSession
  private var begun: OpaquePointer?

  fileprivate init(_ environment: Environment, _ begun: OpaquePointer, _ session: WriteSession) {
    self.environment = environment
    self.begun = begun
    self.session = session
    transaction = WritableTransaction(environment: environment, handle: begun, session: session)
  }

  deinit {
    if isOnItsThread { abort() } else if let begun { environment.orphans.add(begun, session) }
  }

  private var isOnItsThread: Bool { session.thread == currentThread() }

  /// Whether the map was too small, so that the transaction can only be aborted.
  @usableFromInline package var needsGrowth: Bool { session.needsGrowth }

  /// Whether a failure occurred after which LMDB commits nothing.
  @usableFromInline package var hasFailed: Bool { session.firstFailure != 0 }

  /// Commits and ends the transaction.
  ///
  /// - Returns: `false` if the map was too small: the changes were rolled back, the map was enlarged, and the
  ///   whole write must be repeated.
  /// - Throws: The errors of ``Environment/write(usingReserve:_:)``.
  @usableFromInline package func commit() throws(LMDBError) -> Bool {
    try checkThread()
    guard let begun = take() else { throw LMDBError(.transactionEnded) }
    defer { environment.releaseWriter() }
    return try FileSizeLimit.withoutSignal { () throws(LMDBError) in
      if session.needsGrowth {
        environment.undo(begun, session)
      } else if try environment.commit(begun, session) {
        return true
      }
      try environment.grow()
      return false
    }
  }

  /// Rolls back and ends the transaction. Does nothing after the end or on another thread.
  @usableFromInline package func abort() {
    guard isOnItsThread, let begun = take() else { return }
    environment.undo(begun, session)
    environment.releaseWriter()
  }

  /// Rolls back the transaction, enlarges the map, and ends the transaction.
  ///
  /// - Throws: `mapFull`, `readersBlockGrowth`.
  @usableFromInline package func abortAndGrow() throws(LMDBError) {
    try checkThread()
    guard let begun = take() else { throw LMDBError(.transactionEnded) }
    defer { environment.releaseWriter() }
    environment.undo(begun, session)
    try environment.grow()
  }

  /// Rolls back, ends the transaction, and returns the failure that made the transaction unusable, or `nil`
  /// if there was none.
  @usableFromInline package func abortReportingFailure() -> LMDBError? {
    guard isOnItsThread, let begun = take() else { return nil }
    defer { environment.releaseWriter() }
    environment.undo(begun, session)
    return session.firstFailure == 0 ? nil : environment.failedToWrite(session.firstFailure)
  }

  private func checkThread() throws(LMDBError) {
    guard isOnItsThread else {
      throw LMDBError(
        .incompatible,
        "A write must end on the thread that began it.",
        path: environment.directory
      )
    }
  }

  private func take() -> OpaquePointer? {
    defer { begun = nil }
    transaction.handle = nil
    return begun
  }
}

/// Held writes that were released on a thread other than their own.
final class OrphanedWrites: Sendable {
  // SAFETY: after its removal from the list, only the thread that began the transaction uses it.
  struct Orphan: @unchecked Sendable {
    let begun: OpaquePointer
    let session: WriteSession
  }

  private let orphan = OwnedLock<Orphan?>(nil)
  private let isEmpty = Atomic(true)

  /// Adds the only orphan: the environment's writer lock is held until it has ended.
  func add(_ begun: OpaquePointer, _ session: WriteSession) {
    let forgotten = Orphan(begun: begun, session: session)
    orphan.withLock { $0 = forgotten }
    isEmpty.store(false, ordering: .releasing)
  }

  /// Removes and returns the orphan that a thread has begun, so that the thread can end it.
  func take(of thread: UInt) -> Orphan? {
    if isEmpty.load(ordering: .acquiring) { return nil }
    return orphan.withLock { orphan in
      guard let found = orphan, found.session.thread == thread else { return nil }
      orphan = nil
      isEmpty.store(true, ordering: .releasing)
      return found
    }
  }
}

extension Environment {
  /// Ends a write that the calling thread began and another thread released.
  func endOrphans() {
    guard let orphan = orphans.take(of: currentThread()) else { return }
    undo(orphan.begun, orphan.session)
    releaseWriter()
  }

  /// Begins a write transaction that ends with a call.
  ///
  /// - Throws: The errors of ``write(usingReserve:_:)``.
  @usableFromInline package func beginWrite() throws(LMDBError) -> ParticipantWrite {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !options.isReadOnly else { throw LMDBError(.readOnly, path: directory) }
    endOrphans()
    try writer.acquire()
    let write: ParticipantWrite
    do throws(LMDBError) {
      try FileSizeLimit.withoutSignal { () throws(LMDBError) in try prepareWriting(usingReserve: false) }
      write = ParticipantWrite(self, try beginWriting(), WriteSession(thread: currentThread(), self))
    } catch {
      releaseWriter()
      throw error
    }
    do throws(LMDBError) { try checkSeal(write.transaction) } catch {
      write.abort()
      throw error
    }
    return write
  }

  /// Forces commits to the disk if the durability is `relaxed`.
  @usableFromInline package func syncIfRelaxed() throws(LMDBError) {
    if options.durability == .relaxed { try sync() }
  }
}
