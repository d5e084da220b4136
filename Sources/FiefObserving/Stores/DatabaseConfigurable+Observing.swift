import Dispatch
import FiefCore

extension DatabaseConfigurable {
  /// Calls a handler with what commits have changed, until the token ends.
  ///
  /// ```swift
  /// let token = try repository.observe { changes in print(changes[Dog.self].inserted.count, "new dogs") }
  /// ```
  /// No writer waits for the handler; changes that are committed while it runs come together in the next
  /// call. See `Store/observe(on:every:_:)`.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the handler is called; nil for a thread of the library's own.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes since the last call.
  /// - Returns: the token that keeps the observation going.
  /// - Throws: ``FiefError`` where the store cannot be opened.
  public func observe(
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(on: queue, every: interval, handler)
  }

  /// Calls a handler on an actor with what commits have changed, until the token ends.
  ///
  /// - Throws: ``FiefError`` where the store cannot be opened.
  public func observe<Isolation: Actor>(
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(on: actor, every: interval, handler)
  }

  /// Calls a handler on an executor with what commits have changed, until the token ends.
  ///
  /// - Throws: ``FiefError`` where the store cannot be opened.
  public func observe(
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(on: executor, every: interval, handler)
  }

  /// The changes of commits, for `for await`; see ``Store/changes(every:)``.
  ///
  /// - Parameter interval: the least time between two change sets; nil for none.
  public func changes(every interval: Duration? = nil) -> ChangeSequence<ChangeSet> {
    store().changes(every: interval)
  }

  /// Calls a closure in a write transaction on this thread, that some observations do not report; see
  /// `Store/write(withoutNotifying:_:)`.
  ///
  /// - Parameters:
  ///   - tokens: the tokens of observations of this store; others are ignored.
  ///   - body: gets the transaction.
  /// - Throws: what the closure throws, with nothing changed in the store.
  @discardableResult
  public func write<Value>(
    withoutNotifying tokens: [NotificationToken],
    _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
    try store().write(withoutNotifying: tokens, body)
  }

  /// Calls a closure in a write transaction on the thread of the write queue, that some observations do not report.
  @discardableResult
  nonisolated(nonsending)
    public func write<Value: Sendable>(
      withoutNotifying tokens: [NotificationToken],
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value
  {
    try await store().write(withoutNotifying: tokens, body)
  }

  /// Calls a closure that ends in an object in a write transaction that some observations do not report, and
  /// returns nothing; see ``ThreadBound``.
  nonisolated(nonsending)
    public func write<Value: ThreadBound>(
      withoutNotifying tokens: [NotificationToken],
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws
  {
    try await store().write(withoutNotifying: tokens, body)
  }
}
