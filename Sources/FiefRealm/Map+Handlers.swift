import Fief

extension Map {
  /// Calls a handler in the caller's isolation with the map, and then with its changes, until the token ends.
  ///
  /// The place of the call is the same as for other collections. In the handler, the observed map shows the
  /// state of the change.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the objects in the map; nil for all properties, also of linked
  ///     objects.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - isolation: the actor on which the handler is called; by default the caller's.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the map, and then with its changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the objects in the map; nil for all properties, also of linked
  ///     objects.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }

  private func local(_ watched: _WatchedPaths) -> LocalObservation<RealmMapChange<Map<Key, Value>>> {
    LocalObservation(
      of: self,
      shown: { change in
        switch change {
        case .initial(let shown), .update(let shown, _, _, _): shown
        case .error: nil
        }
      },
      begin: { self.observe(watched, $0, $1) }
    )
  }
}

extension Map where Value: _OptionalLink {
  /// Calls a handler in the caller's isolation with the map, and then with its changes. Only changes of some
  /// properties of the objects are modifications, and another object for a key.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties, through at most four links.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - isolation: the actor on which the handler is called; by default the caller's.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the map, and then with its changes. Only changes of some
  /// properties of the objects are modifications, and another object for a key.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties, through at most four links.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }
}
