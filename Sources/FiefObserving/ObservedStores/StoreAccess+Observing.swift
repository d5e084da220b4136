import Dispatch
import FiefCore

extension StoreAccess {
  /// Calls a handler with the changes of commits, until the token is invalidated or released.
  ///
  /// ```swift
  /// let token = store.observe { changes in print(changes[Dog.self].inserted.count, "new dogs") }
  /// ```
  /// The handler is called after the commit, never during it, and writers do not wait for it. Changes that
  /// are committed while it runs are combined in the next call, so a slow handler receives fewer calls with
  /// more changes. The handler is not called before something changes.
  ///
  /// Reads in the handler see these changes, and possibly later ones. To get the object of a key in the set,
  /// call `object(ofType:forPrimaryKey:)`. A commit by another process is reported as a change set that is
  /// not ``ChangeSet/isComplete``. If the store can no longer be read because another process has migrated
  /// it, the observation ends, and the store's event handler receives the error. A repository that declares
  /// only a part of the store's types receives only the changes of these types.
  ///
  /// The handler is called on the actor of its closure: in code of the main actor on the main actor, and in
  /// code without an actor on a thread of the library.
  ///
  /// - Parameters:
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes since the previous call.
  /// - Returns: a token that keeps the observation alive.
  /// - Throws: ``FiefError`` if the store cannot be opened.
  public func observe(
    every interval: Duration? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    let handler = IsolatedHandler(handler)
    return try store().observe(handler.executor.every(interval)) { handler.call($0) }
  }

  /// Calls a handler on a queue with the changes of commits; see ``observe(every:_:)``.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes since the previous call.
  /// - Throws: ``FiefError`` if the store cannot be opened.
  public func observe(
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the changes of commits; see ``observe(every:_:)``.
  ///
  /// - Throws: ``FiefError`` if the store is not open.
  public func observe<Isolation: Actor>(
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(.actor(actor).every(interval)) { changes in
      actor.assumeIsolated { handler($0, changes) }
    }
  }

  /// Calls a handler on an executor with the changes of commits; see ``observe(every:_:)``.
  ///
  /// - Throws: ``FiefError`` if the store is not open.
  public func observe(
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> NotificationToken {
    try store().observe(.executor(executor).every(interval), handler)
  }

  /// Returns the changes of commits, for `for await`.
  ///
  /// ```swift
  /// for try await changes in store.changes() { print(changes[Dog.self].inserted.count, "new dogs") }
  /// ```
  /// The observation begins when the loop requests the first change. Changes that are committed while the
  /// loop's body runs are combined. The sequence ends when the task is cancelled or the store is closed.
  ///
  /// - Parameter interval: the minimum time between two change sets, or `nil` for no minimum.
  public func changes(every interval: Duration? = nil) -> ChangeSequence<ChangeSet> {
    let store = store()
    return ChangeSequence { gate, take in
      let core = try store.core()
      let observation = StoreChangesObservation(.pull(gate).every(interval), store.visible) { error in
        if let error { take(.failure(error)) } else { gate.end() }
      } _: {
        take(.success($0))
      }
      return try core.hub.add(observation, of: core) { _ in }
    }
  }

  // MARK: Writing without notifying

  /// Calls a closure in a write transaction on this thread, without notifying some observations of it.
  ///
  /// Use this method for a screen that already shows its own writes: pass its token, and its handler is not
  /// called for its own change. All other observations are notified. Earlier changes by other writers that
  /// were not reported yet are reported afterwards, relative to the state after the write.
  ///
  /// Call the method where the handler is called, on the token's actor or queue. Elsewhere the handler may be
  /// called between the write and your own update of the screen. The write waits while one of these
  /// observations is being evaluated, but never for a handler.
  ///
  /// - Parameters:
  ///   - tokens: tokens of observations of this store. Other tokens are ignored.
  ///   - body: receives the transaction.
  /// - Returns: the result of the closure.
  /// - Throws: the same errors as `write(_:)`.
  @discardableResult
  public func write<Value>(
    withoutNotifying tokens: [NotificationToken],
    _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
    let store = store()
    let core = try store.core()
    return try core.write(silent: core.hub.observations(of: tokens)) { try body($0.seeing(store.visible)) }
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
    let store = store()
    let core = try store.core()
    return try await store.write(silent: core.hub.observations(of: tokens), body)
  }

  /// Calls a closure whose last expression is an object in a write transaction, without notifying some
  /// observations, and returns nothing; see ``ThreadBound``.
  nonisolated(nonsending)
    public func write<Value: ThreadBound>(
      withoutNotifying tokens: [NotificationToken],
      _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws
  {
    let store = store()
    let core = try store.core()
    try await store.write(silent: core.hub.observations(of: tokens)) { _ = try body($0) }
  }
}

extension Store {
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

  /// Calls a closure in a write transaction on this thread, without notifying some observations. Inside the
  /// closure the store's own `add`, `create` and `delete` belong to the transaction.
  @discardableResult
  public func write<Value>(
    withoutNotifying tokens: [NotificationToken],
    _ body: () throws -> Value
  ) throws -> Value {
    try write(withoutNotifying: tokens) { (_: WriteTransaction) in try body() }
  }
}
