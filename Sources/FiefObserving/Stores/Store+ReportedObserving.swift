import FiefCore

extension Store {
  /// Calls a handler with what commits have changed.
  ///
  /// - Returns: the token. If the store is not open, the observation has ended and an event is reported.
  package func observeReporting(
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) -> NotificationToken {
    do { return try observe(executor, handler) } catch {
      reportMisuse(error)
      return NotificationToken {}
    }
  }
}
