import Fief

extension Store {
  /// The notifications that observers of a whole store get.
  public enum Notification: Sendable {
    /// The store has changed.
    case didChange
  }

  /// Calls a closure after each commit that has changed something, where the caller runs.
  ///
  /// It is called as the handler of a collection is: on the actor of the caller, and outside of any actor on the main queue for a
  /// caller on the main thread. The forms with `on:` name the place of the call, and report the changes.
  /// - Parameters:
  ///   - isolation: the actor on which the closure is called; the caller's.
  ///   - block: gets the kind of the notification and the store.
  /// - Returns: the token, which ends it with its `invalidate()` and with its end. The token of a store that is not open
  ///   has ended, which is an event.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping (Notification, Store) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler<Void> { [self] in block(.didChange, self) }
    return observeReporting(.caller(isolation)) { _ in handler.call(()) }
  }
}
