import FiefCore

extension ObservableObjectBase {
  /// Calls a handler on the main actor with the changes of the object in the store, until the token is
  /// invalidated or released.
  ///
  /// ```swift
  /// token = dog.observe(on: MainActor.shared) { [weak self] change in self?.reload() }
  /// ```
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the object itself.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that also updates the observed object, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observed(_WatchedPaths(keyPaths)).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }

  /// Calls a handler on the main actor with the changes of some properties of the object, until the token is
  /// invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that also updates the observed object, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observed(_WatchedPaths(keyPaths)).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }
}
