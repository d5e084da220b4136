import Fief

extension Store {
  /// A notification for observers of a whole store.
  public enum Notification: Sendable {
    /// The store has changed.
    case didChange
  }

  /// Calls a closure in the caller's isolation after each commit that has changed something.
  ///
  /// The place of the call is the same as for collections: the actor of the caller; without an actor the main
  /// queue for a caller on the main thread. The forms with `on:` name the place, and report the changes.
  /// - Parameters:
  ///   - isolation: the actor on which the closure is called; by default the caller's.
  ///   - block: is called with the notification and the store.
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
