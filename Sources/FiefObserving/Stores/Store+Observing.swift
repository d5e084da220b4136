import Dispatch
import FiefCore

extension Store {
  /// Calls a handler with what commits have changed, until the token ends.
  ///
  /// ```swift
  /// let token = store.observe { changes in print(changes[Dog.self].inserted.count, "new dogs") }
  /// ```
  /// The handler is called after the commit, never in the middle of it, and no writer waits for it. Changes
  /// that are committed while it runs come together in the next call, so that a slow handler has fewer calls
  /// with more in them. Its reads of the store have these changes, and maybe later ones. There is no call
  /// before something changes. A key of the set leads to its object with `object(ofType:forPrimaryKey:)`.
  /// Commits of other processes are reported as a change set that is not ``ChangeSet/isComplete``. Where the
  /// store cannot be read any more, since another process has migrated it, the observation ends, and the
  /// store's event handler gets the error. Through a repository that declares a part of the store's types
  /// only changes of these are reported.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the handler is called; nil for a thread of the library's own.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes since the last call.
  /// - Returns: the token that keeps the observation going.
  /// - Throws: ``FiefError`` where the store is not open.
  public func observe(
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with what commits have changed; see `observe(on:every:_:)`.
  ///
  /// - Throws: ``FiefError`` where the store is not open.
  public func observe<Isolation: Actor>(
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ChangeSet) -> Void
  ) throws -> NotificationToken {
    try observe(.actor(actor).every(interval)) { changes in actor.assumeIsolated { handler($0, changes) } }
  }

  /// Calls a handler on an executor with what commits have changed; see `observe(on:every:_:)`.
  ///
  /// - Throws: ``FiefError`` where the store is not open.
  public func observe(
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try observe(.executor(executor).every(interval), handler)
  }

  /// The changes of commits, for `for await`.
  ///
  /// ```swift
  /// for try await changes in store.changes() { print(changes[Dog.self].inserted.count, "new dogs") }
  /// ```
  /// It begins when the first change is asked for. Changes that are committed while the loop's body runs come
  /// together. Cancelling the task ends it, and so does closing the store.
  ///
  /// - Parameter interval: the least time between two change sets; nil for none.
  public func changes(every interval: Duration? = nil) -> ChangeSequence<ChangeSet> {
    ChangeSequence { gate, take in
      let core = try self.core()
      let observation = StoreChangesObservation(.pull(gate).every(interval), self.visible) { error in
        if let error { take(.failure(error)) } else { gate.end() }
      } _: {
        take(.success($0))
      }
      return try core.hub.add(observation, of: core) { _ in }
    }
  }

  func observe(
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    let core = try core()
    let observation = StoreChangesObservation(executor, visible) { error in
      if let error { core.report(error, type: nil, property: nil) }
    } _: {
      handler($0)
    }
    return try core.hub.add(observation, of: core) { _ in }
  }

  // MARK: Writing without notifying

  /// Calls a closure in a write transaction on this thread, without notifying some observations of it.
  ///
  /// It is for a screen that already shows its own writes: with its token given here, it is not notified of its
  /// own change. All other observations are notified. Earlier changes of other writers that were not reported
  /// yet are reported afterwards, relative to the state after the write. Call it where the handler is called,
  /// on the token's actor or queue: elsewhere the handler may be called between the write and your own update
  /// of the screen. The write waits while one of these observations is being evaluated, never for a handler.
  ///
  /// - Parameters:
  ///   - tokens: the tokens of observations of this store; others are ignored.
  ///   - body: gets the transaction.
  /// - Returns: what the closure returns.
  /// - Throws: as `write(_:)`.
  @discardableResult
  public func write<Value>(
    withoutNotifying tokens: [NotificationToken],
    _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
    let core = try core()
    return try core.write(silent: core.hub.observations(of: tokens)) { try body($0.seeing(visible)) }
  }

  /// Calls a closure in a write transaction on this thread, without notifying some observations; inside, the
  /// store's own `add`, `create` and `delete` belong to the transaction.
  @discardableResult
  public func write<Value>(
    withoutNotifying tokens: [NotificationToken],
    _ body: () throws -> Value
  ) throws -> Value {
    try write(withoutNotifying: tokens) { (_: WriteTransaction) in try body() }
  }

  /// Calls a closure in a write transaction on the thread of the write queue, without notifying some observations.
  @discardableResult
  nonisolated(nonsending)
    public func write<Value: Sendable>(
      withoutNotifying tokens: [NotificationToken],
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value
  {
    let core = try core()
    return try await write(silent: core.hub.observations(of: tokens), body)
  }

  /// Calls a closure that ends in an object in a write transaction without notifying some observations, and returns
  /// nothing; see ``ThreadBound``.
  nonisolated(nonsending)
    public func write<Value: ThreadBound>(
      withoutNotifying tokens: [NotificationToken],
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws
  {
    let core = try core()
    try await write(silent: core.hub.observations(of: tokens)) { _ = try body($0) }
  }
}
