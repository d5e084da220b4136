import CLMDB
import Synchronization

/// A write transaction that ends by a call: for commits of several environments in a certain order.
///
/// It stays on the thread that began it, holds the environment's writer lock until it ends, and ends once. On another
/// thread it cannot end, as LMDB's lock belongs to the thread: calls throw `incompatible` there, and one that is
/// released there ends when its thread next writes. Several are begun in an order that is the same in all processes.
@usableFromInline package final class HeldWrite {
  /// The transaction; it has ended with this.
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

  /// Whether something failed after which LMDB commits nothing.
  @usableFromInline package var hasFailed: Bool { session.firstFailure != 0 }

  /// Commits, and ends.
  ///
  /// - Returns: false where the map was too small: nothing was kept, the map was enlarged, and everything has
  ///   to be done again.
  /// - Throws: as ``Environment/write(usingReserve:_:)`` does.
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

  /// Keeps nothing, and ends; does nothing after the end, nor on another thread.
  @usableFromInline package func abort() {
    guard isOnItsThread, let begun = take() else { return }
    environment.undo(begun, session)
    environment.releaseWriter()
  }

  /// Keeps nothing, enlarges the map, and ends.
  ///
  /// - Throws: `mapFull`, `readersBlockGrowth`.
  @usableFromInline package func abortAndGrow() throws(LMDBError) {
    try checkThread()
    guard let begun = take() else { throw LMDBError(.transactionEnded) }
    defer { environment.releaseWriter() }
    environment.undo(begun, session)
    try environment.grow()
  }

  /// Rolls back, ends, and returns the failure that made the transaction unusable; nil where there was none.
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
        "A write ends on the thread that has begun it.",
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

/// Held writes that were released on threads that are not theirs.
final class OrphanedWrites: Sendable {
  // SAFETY: it is only used by the thread that began the transaction, after it was removed from the list.
  struct Orphan: @unchecked Sendable {
    let begun: OpaquePointer
    let session: WriteSession
  }

  private let orphan = OwnedLock<Orphan?>(nil)
  private let isEmpty = Atomic(true)

  /// There is never a second one: the environment's writer lock is held until the first has ended.
  func add(_ begun: OpaquePointer, _ session: WriteSession) {
    let forgotten = Orphan(begun: begun, session: session)
    orphan.withLock { $0 = forgotten }
    isEmpty.store(false, ordering: .releasing)
  }

  /// The one that a thread has begun, to be ended there.
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
  /// Ends a write that the calling thread has begun and another one has released.
  func endOrphans() {
    guard let orphan = orphans.take(of: currentThread()) else { return }
    undo(orphan.begun, orphan.session)
    releaseWriter()
  }

  /// Begins a write transaction that ends by a call.
  ///
  /// - Throws: as ``write(usingReserve:_:)`` does.
  @usableFromInline package func beginWrite() throws(LMDBError) -> HeldWrite {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !options.isReadOnly else { throw LMDBError(.readOnly, path: directory) }
    endOrphans()
    try writer.acquire()
    let write: HeldWrite
    do throws(LMDBError) {
      try FileSizeLimit.withoutSignal { () throws(LMDBError) in try prepareWriting(usingReserve: false) }
      write = HeldWrite(self, try beginWriting(), WriteSession(thread: currentThread(), self))
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

  /// Forces commits to the disk, where commits are meant to last and do not do so by themselves.
  @usableFromInline package func syncIfRelaxed() throws(LMDBError) {
    if options.durability == .relaxed { try sync() }
  }
}
