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

extension Map: ObservableContents {
  /// Returns the observation of the map. A map has no elements with properties; key paths of the objects are
  /// given by name or with the methods for maps of links.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Never.Type
  ) -> _Observation<RealmMapChange<Map>> {
    let place = Result { try ObservedPlace(self, of: Object.self) }
    let source = ObservedSource {
      let place = try place.get()
      return .init(
        store: place.store,
        follower: try place.mapFollower(isOfObjects: Value.self is any _OptionalLink.Type, watched),
        collection: { scope, follower in
          let follower = follower as? ElementsFollower
          let found = try place.collection(in: scope, as: Map.self)
          if let found { scope.hold(found.owner) }
          return ObservedMap(
            map: found?.collection ?? Map(),
            rows: follower?.rows ?? .none,
            formerRows: follower?.formerRows ?? .none
          )
        }
      )
    }
    return source.observation.map { RealmMapChange($0) }
  }
}

/// Observations of some properties of the objects in a map, given by key paths. A key counts as modified if
/// the value of one of them changes or if the key leads to a different object.
extension Map where Value: _OptionalLink {
  /// Calls a handler with the map and then with its changes; see `observe(keyPaths:every:_:)` with names. A
  /// key counts as modified only if the value of one of the key paths changes or if the key leads to a
  /// different object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of the objects' class, which may follow at most four links.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    every interval: Duration? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    let handler = IsolatedHandler(handler)
    return observation(keyPaths).observe(handler.executor.every(interval)) { handler.call($0) }
  }

  /// Calls a handler on a queue with the map and then with its changes. A key counts as modified only if the
  /// value of one of the key paths changes or if the key leads to a different object.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers of the main actor, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the map and then with its changes. A key counts as modified only if the
  /// value of one of the key paths changes or if the key leads to a different object.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<Value._Linked>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  private func observation(_ keyPaths: [PartialKeyPath<Value._Linked>]) -> _Observation<RealmMapChange<Map>> {
    _observation(_WatchedPaths(keyPaths), of: Never.self)
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
