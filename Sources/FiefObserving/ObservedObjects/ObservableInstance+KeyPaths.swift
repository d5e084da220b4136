import Dispatch
import FiefCore

/// Observations of some properties, given by key paths.
extension ObservableInstance where _Observed: ObservableObjectBase {
  /// Calls a handler with the changes of some properties of the object, until the token is invalidated or
  /// released.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    every interval: Duration? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = IsolatedHandler(handler)
    return observation(keyPaths).observe(handler.executor.every(interval)) { handler.call($0) }
  }

  /// Calls a handler on a queue with the changes of some properties of the object.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers of the main actor, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the changes of some properties of the object.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that converts values, which comes first.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<Self>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Calls a handler on the main actor with the changes of some properties of the object.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that also updates the observed object, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }

  private func observation(_ keyPaths: [PartialKeyPath<Self>]) -> _Observation<ObjectChange<Self>> {
    _observation(_WatchedPaths(keyPaths), of: Self.self)
  }
}
