import Fief

extension Store {
  /// Begins a write on the calling thread, which lasts until ``commitWrite(withoutNotifying:)`` or
  /// ``cancelWrite()`` is called on it.
  ///
  /// All other writes of the store wait meanwhile, of other processes too; `write { }` ends by itself. A
  /// write that cannot begin, inside of a write or in a store for reading only, is `StoreEvent.misuse(_:)`,
  /// and the commit throws. When the thread ends before the write, nothing of it is kept, which is such an
  /// event too; so is a write that has not ended after ten seconds. A task may continue on another thread
  /// behind an `await`: begin and end in between.
  ///
  /// A write that adds more than fits the store's map, at least 32 MiB, cannot be committed; `write { }` is
  /// run again then.
  public func beginWrite() {
    do { try beginHeldWrite() } catch { reportMisuse(error) }
  }

  /// Commits the write that the calling thread has begun.
  ///
  /// - Parameter tokens: the tokens of observations that are not notified of it.
  /// - Throws: ``FiefError`` of code `transactionEnded` where the thread has begun none, and inside of a `write { }`;
  ///   `storeFull` where the store had to grow, after which the write can be made again; the first failure of a call that
  ///   does not throw. Nothing of the write is kept then, and it has ended.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try commitHeldWrite(withoutNotifying: tokens)
  }

  /// Ends the write of the calling thread, and keeps nothing of it: the one that it has begun, or that of `write { }`.
  ///
  /// The closure of a `write { }` continues after it, outside of any write, and its result is returned. Where
  /// there is no write, and in the closure of an asynchronous one, it is `StoreEvent.misuse(_:)`.
  public func cancelWrite() {
    do { try cancelHeldWrite() } catch { reportMisuse(error) }
  }

  /// Calls a closure in a write transaction where the caller runs, after the writes before it; the task waits for these
  /// without blocking its thread. Objects that the caller holds join the write.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: `CancellationError` in a task that was cancelled before; what the closure throws; ``FiefError`` as `write`
  ///   does.
  @discardableResult
  nonisolated(nonsending) public func asyncWrite<Value>(_ body: () throws -> Value) async throws -> Value {
    try Task.checkCancellation()
    try await waitForEarlierWrites()
    return try writeAfterWaiting(body)
  }

  /// Whether writes wait or are being done that were left to the store: by `writeAsync`,
  /// ``beginAsyncWrite(isolation:_:)``, ``commitAsyncWrite(isolation:allowGrouping:_:)``, ``asyncWrite(_:)``, and by tasks
  /// and threads that wait for theirs.
  public var isPerformingAsynchronousWriteOperations: Bool { hasWaitingWrites }

  /// Opens a store as ``init(configuration:)`` does, for code that is isolated to an actor. Any other may use the handle too.
  ///
  /// - Throws: as ``init(configuration:)``.
  public convenience init(configuration: Configuration = .defaultConfiguration, actor: any Actor) async throws
  {
    try self.init(configuration: configuration)
  }
}
