import Fief

extension ObservableInstance where _Observed: ObservableObjectBase {
  /// Calls a handler on an actor with the changes of the object in the store. The values of the changes have
  /// the forms in which Realm reports them, as in handlers without an actor.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the object itself.
  ///   - actor: the actor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the actor and the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), on: actor, every: interval, handler)
  }

  /// Calls a handler on an actor with the changes of some properties of the object. The values of the changes
  /// have the forms in which Realm reports them, as in handlers without an actor.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - actor: the actor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the actor and the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<Self>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), on: actor, every: interval, handler)
  }

  private func observe<Isolation: Actor>(
    _ watched: _WatchedPaths,
    on actor: Isolation,
    every interval: Duration?,
    _ handler: @escaping @Sendable (isolated Isolation, ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    _observation(watched, of: Self.self).observe(.actor(actor).every(interval)) { change in
      actor.call(handler, change.havingObjectiveCValues)
    }
  }
}
