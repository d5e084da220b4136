import Fief

extension Store {
  /// Begins a write on the calling thread. It lasts until you call ``commitWrite(withoutNotifying:)`` or
  /// ``cancelWrite()`` on the thread.
  ///
  /// All other writes of the store wait meanwhile, also in other processes. `write { }` ends by itself, so
  /// prefer it. These uses are reported as `StoreEvent.misuse(_:)`:
  /// - A write that cannot begin, inside of another write or in a store for reading only. The commit throws
  ///   then.
  /// - A thread that ends before its write. Nothing of the write is kept.
  /// - A write that has not ended after ten seconds.
  ///
  /// A task may continue on another thread after an `await`, so do not suspend between the beginning and the
  /// end.
  ///
  /// If the write adds more than the free part of the store's map, which has at least 32 MiB, the commit
  /// fails. A `write { }` would run again then.
  public func beginWrite() {
    do { try beginHeldWrite() } catch { reportMisuse(error) }
  }

  /// Commits the write that the calling thread has begun.
  ///
  /// - Parameter tokens: the tokens of observations that are not notified of the write.
  /// - Throws: ``FiefError`` of code `transactionEnded` if the thread has begun no write, or inside of a
  ///   `write { }`; of code `storeFull` if the store had to grow, and you can repeat the write; and the first
  ///   failure of a call that cannot throw. The write has ended then, and nothing of it is kept.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try commitHeldWrite(withoutNotifying: tokens)
  }

  /// Ends the write of the calling thread and keeps nothing of it. It can be a write of ``beginWrite()`` or
  /// of `write { }`.
  ///
  /// The closure of a `write { }` continues outside of any write, and its result is returned. If there is no
  /// write, and in the closure of an asynchronous write, the call is reported as `StoreEvent.misuse(_:)`.
  public func cancelWrite() {
    do { try cancelHeldWrite() } catch { reportMisuse(error) }
  }

  /// Calls a closure in a write transaction in the caller's isolation. Objects that the caller holds join the
  /// write.
  ///
  /// The task waits for the writes before it without blocking its thread.
  ///
  /// - Returns: the result of the closure.
  /// - Throws: `CancellationError` if the task is cancelled before the write begins; the errors of the
  ///   closure and of `write`.
  @discardableResult
  nonisolated(nonsending) public func asyncWrite<Value>(_ body: () throws -> Value) async throws -> Value {
    try Task.checkCancellation()
    try await waitForEarlierWrites()
    return try writeAfterWaiting(body)
  }

  /// A Boolean value that indicates whether asynchronous writes wait or run: writes of `writeAsync`,
  /// ``beginAsyncWrite(isolation:_:)``, ``commitAsyncWrite(isolation:allowGrouping:_:)`` and
  /// ``asyncWrite(_:)``, and writes that tasks and threads wait for.
  public var isPerformingAsynchronousWriteOperations: Bool { hasWaitingWrites }

  /// Opens a store as ``init(configuration:)`` does, for code that is isolated to an actor. Other code may
  /// use the handle, too.
  ///
  /// - Throws: the errors of ``init(configuration:)``.
  public convenience init(configuration: Configuration = .defaultConfiguration, actor: any Actor) async throws
  {
    try self.init(configuration: configuration)
  }
}
