import FiefCore

extension Map {
  /// Calls a handler on the main actor with the map, and then with its changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: of a map of objects, names of properties; nil for all.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form that also updates the observed map, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }
}
