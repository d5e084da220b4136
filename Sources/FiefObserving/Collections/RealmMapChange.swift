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
  /// The map as it is when the observation begins; it comes first, and once.
  case initial(Collection)
  /// The map has changed: the keys that are gone, new, and those with another value, each in order. For a map
  /// of links also the keys whose object has changed.
  case update(Collection, deletions: [String], insertions: [String], modifications: [String])
  /// The map cannot be read any more; nothing comes after it.
  case error(any Error)
}

extension Map {
  /// Calls a handler with the map, and then with its changes, until the token ends.
  ///
  /// See ``ObservableCollection`` for when the handler is called, and for what it sees.
  ///
  /// - Parameters:
  ///   - keyPaths: of a map of objects, names of properties, as in `ObservableCollection.observe(keyPaths:on:every:_:)`: a key is
  ///     modified where what they lead to is another value, or where the key has another object. nil for all properties.
  ///   - queue: where the handler is called; nil for a thread of the library's own.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the map, and then with its changes.
  ///
  /// - Parameters:
  ///   - keyPaths: of a map of objects, names of properties; nil for all.
  ///   - actor: where the handler is called.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the actor and the changes.
  /// - Returns: the token that keeps the observation going.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Calls a handler on an executor with the map, and then with its changes.
  ///
  /// - Parameters:
  ///   - keyPaths: of a map of objects, names of properties; nil for all.
  ///   - executor: where the handler is called.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .executor(executor).every(interval), handler)
  }

  /// The map, and then what becomes of it, for `for await`; see `ObservableCollection/changes(keyPaths:every:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: of a map of objects, names of properties; nil for all.
  ///   - interval: the least time between two changes; nil for none.
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

  /// Begins an observation; if that is impossible, the handler gets the error.
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
  /// Calls a handler with the map, and then with what becomes of it; only what some properties of the objects lead to
  /// counts as a modification, beside another object for a key.
  ///
  /// - Parameters:
  ///   - keyPaths: ways to properties, through at most four links.
  ///   - queue: where the handler is called; nil for a thread of the library's own.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the map, and then with what becomes of it.
  ///
  /// - Parameters:
  ///   - keyPaths: ways to properties, through at most four links.
  ///   - actor: where the handler is called.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the actor and the changes.
  /// - Returns: the token that keeps the observation going.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), .actor(actor).every(interval)) { actor.call(handler, $0) }
  }
}

/// A map with its keys, as they are and as they were reported last.
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
