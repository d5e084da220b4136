import CLMDB

/// A write transaction that ends when it is told to: for commits of several environments in a certain order.
///
/// It stays on the thread that began it, holds the environment's writer lock until it ends, and ends once.
/// Whoever holds several begins them in an order that all agree on.
public final class HeldWrite {
  /// The transaction; it has ended with this.
  public let transaction: WriteTransaction
  private let environment: Environment
  private let session: WriteSession
  private var begun: OpaquePointer?

  fileprivate init(_ environment: Environment, _ begun: OpaquePointer, _ session: WriteSession) {
    self.environment = environment
    self.begun = begun
    self.session = session
    transaction = WriteTransaction(environment: environment, handle: begun, session: session)
  }

  deinit { abort() }

  /// Whether the map was too small, so that the transaction can only be aborted.
  public var needsGrowth: Bool { session.needsGrowth }

  /// Whether something failed after which LMDB commits nothing.
  public var hasFailed: Bool { session.firstFailure != 0 }

  /// Commits, and ends.
  ///
  /// - Returns: false where the map was too small: nothing was kept, the map was enlarged, and everything has
  ///   to be done again.
  /// - Throws: as ``Environment/write(usingReserve:_:)`` does.
  public func commit() throws(LMDBError) -> Bool {
    guard let begun = take() else { throw LMDBError(.transactionEnded) }
    defer { environment.releaseWriter() }
    if session.needsGrowth {
      environment.undo(begun, session)
    } else if try environment.commit(begun, session) {
      return true
    }
    try environment.grow()
    return false
  }

  /// Keeps nothing, and ends; does nothing after the end.
  public func abort() {
    guard let begun = take() else { return }
    environment.undo(begun, session)
    environment.releaseWriter()
  }

  /// Keeps nothing, enlarges the map, and ends.
  ///
  /// - Throws: `mapFull`, `readersBlockGrowth`.
  public func abortAndGrow() throws(LMDBError) {
    guard let begun = take() else { throw LMDBError(.transactionEnded) }
    defer { environment.releaseWriter() }
    environment.undo(begun, session)
    try environment.grow()
  }

  /// Keeps nothing, ends, and says what made the transaction unusable; nil where nothing did.
  public func abortReportingFailure() -> LMDBError? {
    guard let begun = take() else { return nil }
    defer { environment.releaseWriter() }
    environment.undo(begun, session)
    return session.firstFailure == 0 ? nil : environment.failedToWrite(session.firstFailure)
  }

  private func take() -> OpaquePointer? {
    defer { begun = nil }
    transaction.handle = nil
    return begun
  }
}

extension Environment {
  /// Begins a write transaction that ends when it is told to.
  ///
  /// - Throws: as ``write(usingReserve:_:)`` does.
  public func beginWrite() throws(LMDBError) -> HeldWrite {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !options.isReadOnly else { throw LMDBError(.readOnly, path: directory) }
    try writer.acquire()
    do throws(LMDBError) {
      try prepareWriting(usingReserve: false)
      return HeldWrite(self, try beginWriting(), WriteSession(thread: currentThread()))
    } catch {
      releaseWriter()
      throw error
    }
  }

  /// Forces what was committed to the disk, where commits do not do so by themselves and are meant to last.
  public func syncIfRelaxed() throws(LMDBError) {
    if options.durability == .relaxed { try sync() }
  }
}
