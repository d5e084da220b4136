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
  /// Returns the observation of the map. Names and key paths refer to properties of the objects in a map of
  /// links. A key then counts as modified if the value of a path changes or if the key leads to a different
  /// object.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Value._Linked.Type
  ) -> _Observation<RealmMapChange<Map>> {
    let place = Result { try ObservedPlace(self, of: Object.self) }
    let source = ObservedSource {
      let place = try place.get()
      return .init(
        store: place.store,
        follower: try place.mapFollower(isOfObjects: Value._Linked.self is Object.Type, watched),
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
