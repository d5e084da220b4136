import FiefCore

extension ObservableCollection {
  /// Calls a handler on the main actor with the collection, and then with its changes, until the token ends.
  ///
  /// ```swift
  /// token = dogs.observe(on: MainActor.shared) { [weak self] change in self?.reload() }
  /// ```
  /// The handler can use everything that belongs to the main actor.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`; nil for all properties of the elements.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
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
  /// Calls a handler on the main actor with the collection, and then with its changes; only the values of some
  /// properties of the elements count as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
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
  /// Calls a handler of an observation whose executor is the main actor.
  static func call<Change>(_ handler: @MainActor (Change) -> Void, _ change: Change) {
    // SAFETY: the change was made for this call, on the main actor, and nothing else has a reference to it.
    nonisolated(unsafe) let change = change
    MainActor.assumeIsolated { handler(change) }
  }
}
