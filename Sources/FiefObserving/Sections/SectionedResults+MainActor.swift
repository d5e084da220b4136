import FiefCore

extension SectionedResults {
  /// Calls a handler on the main actor with the sections, and then with their changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results; nil for all properties.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
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
