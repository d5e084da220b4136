public import Dispatch
import Fief

extension ObservableContents {
  /// Calls a handler in the caller's isolation with the contents and then with their changes, until the token
  /// is invalidated or released.
  ///
  /// ```swift
  /// token = dogs.observe { [weak self] change in self?.reload() }
  /// ```
  /// The handler is called on the actor of the caller. Without an actor, it is called on the main queue if
  /// the caller is on the main thread, and on a thread of the library otherwise. On such a thread it must not
  /// use state that other threads use; write `{ @Sendable change in … }` to let the compiler check this. In
  /// the handler, an observed list, set or map and the object that owns it have the state of the change.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:every:_:)`, or `nil` for all properties,
  ///     also of linked objects.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObservedChange) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the contents and then with their changes, until the token is
  /// invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:every:_:)`, or `nil` for all properties,
  ///     also of linked objects.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObservedChange) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }

  /// Calls a handler on a queue with the contents and then with their changes, until the token is
  /// invalidated or released.
  ///
  /// A closure that belongs to an actor is called on that actor, whatever the queue. On the main queue, and on
  /// the queue of a store, the observed instance and all results have the state of the change in the handler.
  /// On another queue the handler must not use state that other threads use; write `{ @Sendable change in … }`
  /// to let the compiler check this.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:every:_:)`, or `nil` for all properties,
  ///     also of linked objects.
  ///   - queue: the queue on which the handler is called, or `nil` for the place where handlers without `on:`
  ///     are called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @isolated(any) (ObservedChange) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(on: queue, every: interval, handler)
  }

  fileprivate func local(_ watched: _WatchedPaths) -> LocalObservation<ObservedChange> {
    LocalObservation(of: self, _observation(watched, of: ObservedElement.self))
  }
}

extension ObservableContents where ObservedElement: _WatchedElement {
  /// Calls a handler in the caller's isolation with the contents and then with their changes. An element
  /// counts as modified only if the value of one of the key paths changes.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of the elements' class, which may follow at most four links.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObservedChange) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the contents and then with their changes. An element counts as
  /// modified only if the value of one of the key paths changes.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of the elements' class, which may follow at most four links.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObservedChange) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }

  /// Calls a handler on a queue with the contents and then with their changes. An element counts as
  /// modified only if the value of one of the key paths changes.
  ///
  /// A closure that belongs to an actor is called on that actor, whatever the queue. On the main queue, and on
  /// the queue of a store, the observed instance and all results have the state of the change in the handler.
  /// On another queue the handler must not use state that other threads use; write `{ @Sendable change in … }`
  /// to let the compiler check this.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of the elements' class, which may follow at most four links.
  ///   - queue: the queue on which the handler is called, or `nil` for the place where handlers without `on:`
  ///     are called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @isolated(any) (ObservedChange) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(on: queue, every: interval, handler)
  }
}
