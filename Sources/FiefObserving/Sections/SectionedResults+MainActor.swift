import FiefCore

extension SectionedResults {
  /// Calls a handler on the main actor with the sections and then with their changes, until the token is
  /// invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results, or `nil` for all properties.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form with the same arguments, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }
}
