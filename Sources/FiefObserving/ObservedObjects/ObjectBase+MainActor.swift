import FiefCore

extension ObservableObjectBase {
  /// Calls a handler on the main actor with the changes of the object in the store, until the token ends.
  ///
  /// ```swift
  /// token = dog.observe(on: MainActor.shared) { [weak self] change in self?.reload() }
  /// ```
  /// - Parameters:
  ///   - keyPaths: names of properties; nil for all properties of the object itself.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form that also updates the observed object, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observed(_WatchedPaths(keyPaths)).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }

  /// Calls a handler on the main actor with the changes of some properties of the object, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
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
