import Fief

extension Map {
  /// Calls a handler where the caller runs with the map, and then with its changes, until the token ends.
  ///
  /// The handler is called as the handler of other collections is. In it the observed map shows the state of the change.
  ///
  /// - Parameters:
  ///   - keyPaths: of a map of objects, names of properties; nil for all, also of linked objects.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (LocalHandler(handler), HeldCollection(self, isolation))
    return observe(_WatchedPaths(keyPaths), .caller(isolation).every(interval)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }

  /// Calls a handler on the main actor with the map, and then with its changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: of a map of objects, names of properties; nil for all, also of linked objects.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (MainHandler(handler), HeldCollection(self, nil))
    return observe(_WatchedPaths(keyPaths), .actor(MainActor.shared).every(interval)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }
}

extension Map where Value: _OptionalLink {
  /// Calls a handler where the caller runs with the map, and then with its changes; only the values of some
  /// properties of the objects count as modifications, beside another object for a key.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (LocalHandler(handler), HeldCollection(self, isolation))
    return observe(_WatchedPaths(keyPaths), .caller(isolation).every(interval)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }

  /// Calls a handler on the main actor with the map, and then with its changes; only the values of some
  /// properties of the objects count as modifications, beside another object for a key.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (MainHandler(handler), HeldCollection(self, nil))
    return observe(_WatchedPaths(keyPaths), .actor(MainActor.shared).every(interval)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }
}

extension HeldCollection {
  /// Brings the map to the state of a change.
  fileprivate func refresh<Collection>(for change: RealmMapChange<Collection>) {
    switch change {
    case .initial(let shown), .update(let shown, _, _, _): refresh(like: shown)
    case .error: break
    }
  }
}
