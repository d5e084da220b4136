import Fief

extension Store {
  /// A notification for observers of a whole store.
  public enum Notification: Sendable {
    /// The store has changed.
    case didChange
  }

  /// Calls a closure in the caller's isolation after each commit that has changed something.
  ///
  /// The closure is called where handlers of collections are called: on the actor of the caller or, without
  /// an actor, on the main queue if the caller is on the main thread. The methods with `on:` specify the
  /// executor and report the changes.
  /// - Parameters:
  ///   - isolation: the actor on which the closure is called. The default is the actor of the caller.
  ///   - block: receives the notification and the store.
  /// - Returns: the token. The observation ends with `invalidate()`, or when the token is released. If the
  ///   store is not open, the observation does not begin and an event is reported.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping (Notification, Store) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler<Void> { [self] in block(.didChange, self) }
    return observeReporting(.caller(isolation)) { _ in handler.call(()) }
  }
}
