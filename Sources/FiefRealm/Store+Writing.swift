import Fief

extension Store {
  /// Begins a write on the calling thread. It lasts until you call ``commitWrite(withoutNotifying:)`` or
  /// ``cancelWrite()`` on the same thread.
  ///
  /// Meanwhile all other writes to the store wait, also in other processes. Prefer `write { }`, which ends by
  /// itself. The following uses are reported as `StoreEvent.misuse(_:)`:
  /// - A write that cannot begin, because it is in another write or the store is read-only. The commit then
  ///   throws.
  /// - A thread that ends before its write. The write is rolled back.
  /// - A write that has not ended after ten seconds.
  ///
  /// A task may continue on another thread after an `await`, so do not suspend between the beginning and the
  /// end.
  ///
  /// If the write adds more than the free part of the store's map, which has at least 32 MiB, the commit
  /// fails. A `write { }` would run again instead.
  public func beginWrite() {
    do { try beginHeldWrite() } catch { reportMisuse(error) }
  }

  /// Commits the write that the calling thread has begun.
  ///
  /// - Parameter tokens: the tokens of observations that are not notified of the write.
  /// - Throws: ``FiefError`` of code `transactionEnded` if the thread has begun no write, or in a
  ///   `write { }`; of code `storeFull` if the store had to grow, and you can repeat the write; and the first
  ///   failure of a call that cannot throw. After an error the write has been rolled back.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try commitHeldWrite(withoutNotifying: tokens)
  }

  /// Rolls back the write of the calling thread, which may be a write of ``beginWrite()`` or of `write { }`.
  ///
  /// The closure of a `write { }` continues outside of any write, and its result is returned. If there is no
  /// write, or in the closure of an asynchronous write, the call is reported as `StoreEvent.misuse(_:)`.
  public func cancelWrite() {
    do { try cancelHeldWrite() } catch { reportMisuse(error) }
  }

  /// Calls a closure in a write transaction in the caller's isolation. Objects of the caller join the write.
  ///
  /// The task waits for earlier writes without blocking its thread.
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

  /// A Boolean value that indicates whether asynchronous writes are waiting or running: writes of
  /// `writeAsync`, ``beginAsyncWrite(isolation:_:)``, ``commitAsyncWrite(isolation:allowGrouping:_:)`` and
  /// ``asyncWrite(_:)``, and writes for which tasks and threads wait.
  public var isPerformingAsynchronousWriteOperations: Bool { hasWaitingWrites }

  /// Opens a store like ``init(configuration:)``, for code that is isolated to an actor. Other code may use
  /// the handle, too.
  ///
  /// - Throws: the errors of ``init(configuration:)``.
  public convenience init(configuration: Configuration = .defaultConfiguration, actor: any Actor) async throws
  {
    try self.init(configuration: configuration)
  }

  /// Opens a store like ``init(configuration:)``, on another thread. Any code may use the handle.
  ///
  /// ```swift
  /// let realm = try await Realm.open()
  /// ```
  /// - Throws: the errors of ``init(configuration:)``; `CancellationError` if the task was cancelled before.
  public static func open(configuration: Configuration = .defaultConfiguration) async throws -> Store {
    try Task.checkCancellation()
    let opening = StoreSandbox.capturingCurrent { try Store(configuration: configuration) }
    do { return try await BackgroundThreads.shared.run(opening) } catch let error as FiefError
      where error.code == .cancelled
    { throw CancellationError() }
  }
}
