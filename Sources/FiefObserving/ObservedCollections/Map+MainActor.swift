import FiefCore

extension Map {
  /// Calls a handler on the main actor with the map and then with its changes, until the token is invalidated
  /// or released.
  ///
  /// - Parameters:
  ///   - keyPaths: for a map of objects, names of properties, or `nil` for all properties.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
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
