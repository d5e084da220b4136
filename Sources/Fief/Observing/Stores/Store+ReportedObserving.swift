extension Store {
  /// Calls a handler with what commits have changed, on a thread of the store's.
  ///
  /// - Returns: the token; of an observation that has ended where the store is not open, which is an event.
  package func observeReporting(_ handler: @escaping @Sendable (ChangeSet) -> Void) -> NotificationToken {
    do { return try observe(on: nil, handler) } catch {
      reportMisuse(error)
      return NotificationToken {}
    }
  }
}
