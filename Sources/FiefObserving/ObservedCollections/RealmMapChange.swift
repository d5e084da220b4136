import Dispatch
import FiefCore

/// A change of an observed map.
///
/// ```swift
/// let token = person.nicknames.observe { change in
///   if case .update(let names, let deletions, let insertions, let modifications) = change { ... }
/// }
/// ```
public enum RealmMapChange<Collection> {
  /// The map when the observation begins. It is the first report.
  case initial(Collection)
  /// The map has changed. Contains the removed keys, the new keys and the keys with a different value, each
  /// in order. In a map of links a key also counts as modified if its object has changed.
  case update(Collection, deletions: [String], insertions: [String], modifications: [String])
  /// The map can no longer be read. This is the last call.
  case error(any Error)
}

extension Map {
  /// Calls a handler with the map and then with its changes, until the token is invalidated or released.
  ///
  /// See ``ObservableCollection`` for when the handler is called and which state it reads.
  ///
  /// - Parameters:
  ///   - keyPaths: for a map of objects, names of properties, as in
  ///     `ObservableCollection.observe(keyPaths:on:every:_:)`, or `nil` for all properties. A key counts as
  ///     modified if the value at the end of a path has changed or if the key leads to a different object.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the map and then with its changes.
  ///
  /// - Parameters:
  ///   - keyPaths: for a map of objects, names of properties, or `nil` for all properties.
  ///   - actor: the actor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the actor and the changes.
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Calls a handler on an executor with the map and then with its changes.
  ///
  /// - Parameters:
  ///   - keyPaths: for a map of objects, names of properties, or `nil` for all properties.
  ///   - executor: the executor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .executor(executor).every(interval), handler)
  }

  /// Returns an asynchronous sequence of the map's current contents followed by its changes; see
  /// `ObservableCollection/changes(keyPaths:every:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: for a map of objects, names of properties, or `nil` for all properties.
  ///   - interval: the minimum time between two changes, or `nil` for no minimum.
  public func changes(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil
  ) -> ChangeSequence<RealmMapChange<Map<Key, Value>>> {
    let observed = observed(_WatchedPaths(keyPaths))
    return ChangeSequence { gate, take in
      observed.observe(.pull(gate).every(interval), onEnd: { gate.end() }) { change in
        if case .error(let error) = change {
          take(.failure(error))
        } else {
          take(.success(RealmMapChange(change)))
        }
      }
    }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ watched: _WatchedPaths,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observed(watched).observe(executor) { handler(RealmMapChange($0)) }
  }

  private func observed(_ watched: _WatchedPaths) -> _ObservedCollection<ObservedMap<Map<Key, Value>>> {
    let place = Result { try ObservedPlace(self, of: Object.self) }
    return _ObservedCollection {
      let place = try place.get()
      return .init(
        store: place.store,
        follower: try place.mapFollower(isOfObjects: Value.self is any _OptionalLink.Type, watched),
        collection: { scope, follower in
          let follower = follower as? ElementsFollower
          let found = try place.collection(in: scope, as: Map<Key, Value>.self)
          if let found { scope.hold(found.owner) }
          return ObservedMap(
            map: found?.collection ?? Map(),
            rows: follower?.rows ?? .none,
            formerRows: follower?.formerRows ?? .none
          )
        }
      )
    }
  }
}

extension Map where Value: _OptionalLink {
  /// Calls a handler with the map and then with its changes. A key counts as modified only if the value of
  /// one of the key paths changes or if the key leads to a different object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the map and then with its changes. A key counts as modified only if the
  /// value of one of the key paths changes or if the key leads to a different object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - actor: the actor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the actor and the changes.
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .actor(actor).every(interval)) { actor.call(handler, $0) }
  }
}

/// A map with its current keys and the keys of the last report.
private struct ObservedMap<Collection> {
  let map: Collection
  let rows: ObservedRows
  let formerRows: ObservedRows

  static func names(_ indexes: [Int], of rows: ObservedRows) -> [String] {
    indexes.compactMap { index in rows.withKey(at: index) { String(decoding: $0, as: UTF8.self) } }
  }
}

extension RealmMapChange {
  fileprivate init(_ change: RealmCollectionChange<ObservedMap<Collection>>) {
    switch change {
    case .initial(let state): self = .initial(state.map)
    case .update(let state, let deletions, let insertions, let modifications):
      self = .update(
        state.map,
        deletions: ObservedMap<Collection>.names(deletions, of: state.formerRows),
        insertions: ObservedMap<Collection>.names(insertions, of: state.rows),
        modifications: ObservedMap<Collection>.names(modifications, of: state.formerRows)
      )
    case .error(let error): self = .error(error)
    }
  }
}
