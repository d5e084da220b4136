import FiefCore

extension List: ObservableCollection {
  /// Returns the store, the follower and the list for an observation.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<List<Element>> {
    _ObservedCollection(self, of: Element.self, watched) { List() }
  }
}

extension MutableSet: ObservableCollection {
  /// Returns the store, the follower and the set for an observation.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<MutableSet<Element>> {
    _ObservedCollection(self, of: Element.self, watched) { MutableSet() }
  }
}

extension LinkingObjects: ObservableCollection {
  /// Returns the store, the follower and the linking objects for an observation.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<Results<Element>> {
    results._observed(watched)
  }
}

extension _ObservedCollection where Collection: OwnedCollection {
  /// Creates the source of an observation of a list or a set.
  ///
  /// - Parameter empty: creates the empty collection reported after the object was deleted.
  fileprivate init(
    _ collection: Collection,
    of element: Any.Type,
    _ watched: _WatchedPaths,
    _ empty: @escaping @Sendable () -> Collection
  ) {
    let place = Result { try ObservedPlace(collection, of: Object.self) }
    let type = ObservedElementType(type: element)
    self.init {
      let place = try place.get()
      return Source(
        store: place.store,
        follower: try place.follower(of: type.type, watched),
        collection: { scope, follower in
          guard let found = try place.collection(in: scope, as: Collection.self) else { return empty() }
          // The scope keeps the object alive while the handler runs.
          scope.hold(found.owner)
          return found.collection
        }
      )
    }
  }
}

/// The element type of a collection.
// SAFETY: a type has no state.
struct ObservedElementType: @unchecked Sendable {
  let type: Any.Type
}
