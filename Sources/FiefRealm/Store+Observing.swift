import Fief

extension Store {
  /// The notifications that observers of a whole store get.
  public enum Notification: Sendable {
    /// The store has changed.
    case didChange
  }

  /// Calls a closure after each commit that has changed something, on a thread of the store's.
  ///
  /// The forms with `on:` name the place of the call, and report the changes.
  /// - Parameter block: gets the kind of the notification and the store.
  /// - Returns: the token, which ends it with its `invalidate()` and with its end. The token of a store that is not open
  ///   has ended, which is an event.
  public func observe(_ block: @escaping @Sendable (Notification, Store) -> Void) -> NotificationToken {
    observeReporting { [self] _ in block(.didChange, self) }
  }
}
