import Fief

extension Map {
  /// Calls a handler in the caller's isolation with the map and then with its changes, until the token is
  /// invalidated or released.
  ///
  /// The handler is called where handlers of other collections are called. In the handler, the observed map
  /// has the state of the change.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the objects in the map, or `nil` for all properties, also of linked
  ///     objects.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the map and then with its changes, until the token is invalidated
  /// or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the objects in the map, or `nil` for all properties, also of linked
  ///     objects.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
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
  /// Calls a handler in the caller's isolation with the map and then with its changes. A key counts as
  /// modified only if the value of one of the key paths changes or if the key leads to a different object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the map and then with its changes. A key counts as modified only
  /// if the value of one of the key paths changes or if the key leads to a different object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }
}
