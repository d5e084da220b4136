import Dispatch
import FiefCore

extension DatabaseConfigurable {
  /// Calls a handler with the changes of commits, until the token is invalidated or released.
  ///
  /// ```swift
  /// let token = try repository.observe { changes in print(changes[Dog.self].inserted.count, "new dogs") }
  /// ```
  /// Writers never wait for the handler: changes that are committed while it runs are combined in the next
  /// call. See `Store/observe(on:every:_:)`.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes since the previous call.
  /// - Returns: a token that keeps the observation alive.
  /// - Throws: ``FiefError`` if the store cannot be opened.
  public func observe(
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(on: queue, every: interval, handler)
  }

  /// Calls a handler on an actor with the changes of commits, until the token is invalidated or released.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened.
  public func observe<Isolation: Actor>(
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(on: actor, every: interval, handler)
  }

  /// Calls a handler on an executor with the changes of commits, until the token is invalidated or released.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened.
  public func observe(
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(on: executor, every: interval, handler)
  }

  /// Returns the changes of commits, for `for await`; see ``Store/changes(every:)``.
  ///
  /// - Parameter interval: the minimum time between two change sets, or `nil` for no minimum.
  public func changes(every interval: Duration? = nil) -> ChangeSequence<ChangeSet> {
    store().changes(every: interval)
  }

  /// Calls a closure in a write transaction on this thread, without notifying some observations; see
  /// `Store/write(withoutNotifying:_:)`.
  ///
  /// - Parameters:
  ///   - tokens: tokens of observations of this store. Other tokens are ignored.
  ///   - body: receives the transaction.
  /// - Throws: the error of the closure, after rolling the write back.
  @discardableResult
  public func write<Value>(
    withoutNotifying tokens: [NotificationToken],
    _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
    try store().write(withoutNotifying: tokens, body)
  }

  /// Calls a closure in a write transaction on the thread of the write queue, without notifying some
  /// observations.
  @discardableResult
  nonisolated(nonsending)
    public func write<Value: Sendable>(
      withoutNotifying tokens: [NotificationToken],
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value
  {
    try await store().write(withoutNotifying: tokens, body)
  }

  /// Calls a closure whose last expression is an object in a write transaction, without notifying some
  /// observations, and returns nothing; see ``ThreadBound``.
  nonisolated(nonsending)
    public func write<Value: ThreadBound>(
      withoutNotifying tokens: [NotificationToken],
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws
  {
    try await store().write(withoutNotifying: tokens, body)
  }
}
