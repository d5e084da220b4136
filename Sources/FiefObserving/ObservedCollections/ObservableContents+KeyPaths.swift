import Dispatch
import FiefCore

/// Observations of some properties, given by key paths. An element counts as modified only if the value of
/// one of them changes.
extension ObservableContents where ObservedElement: _WatchedElement {
  /// Calls a handler with the contents and then with their changes; see `observe(keyPaths:every:_:)` with
  /// names. An element counts as modified only if the value of one of the key paths changes.
  ///
  /// ```swift
  /// let token = dogs.observe(keyPaths: [\.name, \.owner?.name]) { change in ... }
  /// ```
  /// - Parameters:
  ///   - keyPaths: key paths of the elements' class, which may follow at most four links.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    every interval: Duration? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ObservedChange) -> Void
  ) -> NotificationToken {
    let handler = IsolatedHandler(handler)
    return observation(keyPaths).observe(handler.executor.every(interval)) { handler.call($0) }
  }

  /// Calls a handler on a queue with the contents and then with their changes. An element counts as modified
  /// only if the value of one of the key paths changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers of the main actor, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ObservedChange) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the contents and then with their changes. An element counts as modified
  /// only if the value of one of the key paths changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ObservedChange) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Calls a handler on the main actor with the contents and then with their changes. An element counts as
  /// modified only if the value of one of the key paths changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that also updates an observed list, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObservedChange) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }

  /// Returns the contents and then their changes, for `for await`. An element counts as modified only if the
  /// value of one of the key paths changes.
  public func changes(
    keyPaths: [PartialKeyPath<ObservedElement>],
    every interval: Duration? = nil
  ) -> ChangeSequence<ObservedChange> {
    observation(keyPaths).changes(every: interval)
  }

  private func observation(_ keyPaths: [PartialKeyPath<ObservedElement>]) -> _Observation<ObservedChange> {
    _observation(_WatchedPaths(keyPaths), of: ObservedElement.self)
  }
}
