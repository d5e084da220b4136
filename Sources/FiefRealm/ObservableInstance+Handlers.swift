public import Dispatch
import Fief

extension ObservableInstance where _Observed: ObservableObjectBase {
  /// Calls a handler in the caller's isolation with the changes of the object in the store, until the token
  /// is invalidated or released.
  ///
  /// The handler is called where handlers of collections are called. In the handler, the observed instance
  /// has the values of the change, unless it has unsaved assignments.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:every:_:)`, or `nil` for all properties of
  ///     the object itself.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the changes of the object in the store, until the token is
  /// invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:every:_:)`, or `nil` for all properties of
  ///     the object itself.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }

  /// Calls a handler on a queue with the changes of the object in the store, until the token is
  /// invalidated or released.
  ///
  /// A closure that belongs to an actor is called on that actor, whatever the queue. On the main queue, and on
  /// the queue of a store, the observed instance and all results have the state of the change in the handler.
  /// On another queue the handler must not use state that other threads use; write `{ @Sendable change in … }`
  /// to let the compiler check this.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:every:_:)`, or `nil` for all properties of
  ///     the object itself.
  ///   - queue: the queue on which the handler is called, or `nil` for the place where handlers without `on:`
  ///     are called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @isolated(any) (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(on: queue, every: interval, handler)
  }

  /// Calls a handler in the caller's isolation with the changes of some properties of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the changes of some properties of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }

  /// Calls a handler on a queue with the changes of some properties of the object.
  ///
  /// A closure that belongs to an actor is called on that actor, whatever the queue. On the main queue, and on
  /// the queue of a store, the observed instance and all results have the state of the change in the handler.
  /// On another queue the handler must not use state that other threads use; write `{ @Sendable change in … }`
  /// to let the compiler check this.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - queue: the queue on which the handler is called, or `nil` for the place where handlers without `on:`
  ///     are called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @isolated(any) (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(on: queue, every: interval, handler)
  }

  private func local(_ watched: _WatchedPaths) -> LocalObservation<ObjectChange<Self>> {
    LocalObservation(of: Self.object(of: self), _observation(watched, of: Self.self)) { change in
      if case .change(let shown, _) = change { Self.object(of: shown) } else { nil }
    } converting: {
      $0.havingObjectiveCValues
    }
  }

  /// The observed object of an instance, which may be a projection.
  private static func object(of instance: Self) -> AnyObject? {
    (instance as? any ProjectionObservable)?.rootObject ?? instance as? ObjectBase
  }
}

extension ObjectChange {
  /// The change with values in the forms in which Realm reports them. The properties of projections have the
  /// types of the projection.
  var havingObjectiveCValues: ObjectChange {
    guard case .change(let object, let properties) = self, object is ObjectBase else { return self }
    return .change(
      object,
      properties.map { property in
        PropertyChange(
          name: property.name,
          oldValue: ObjectiveCValue.of(property.oldValue),
          newValue: ObjectiveCValue.of(property.newValue)
        )
      }
    )
  }
}
