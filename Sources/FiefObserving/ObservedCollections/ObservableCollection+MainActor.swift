import FiefCore

extension ObservableCollection {
  /// Calls a handler on the main actor with the collection and then with its changes, until the token is
  /// invalidated or released.
  ///
  /// ```swift
  /// token = dogs.observe(on: MainActor.shared) { [weak self] change in self?.reload() }
  /// ```
  /// The handler can use everything that is isolated to the main actor.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`, or `nil` for all properties of
  ///     the elements.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that also updates an observed list, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }
}

extension ObservableCollection where ObservedElement: ObjectBase {
  /// Calls a handler on the main actor with the collection and then with its changes. An element counts as
  /// modified only if the value of one of the key paths changes.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that also updates an observed list, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }
}

extension MainActor {
  /// Calls the handler of an observation that is delivered on the main actor.
  static func call<Change>(_ handler: @MainActor (Change) -> Void, _ change: Change) {
    // SAFETY: the change was created for this call on the main actor, and nothing else refers to it.
    nonisolated(unsafe) let change = change
    MainActor.assumeIsolated { handler(change) }
  }
}
