import FiefCore

extension Store {
  /// Calls a handler with the changes of commits.
  ///
  /// - Returns: the token of the observation. If the store is not open, an event is reported and the
  ///   observation has already ended.
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
