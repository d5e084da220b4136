import FiefCore

extension List: ObservableCollection {
  /// The type of the elements.
  public typealias ObservedElement = Element
  /// The type of the collection that handlers get.
  public typealias ObservedCollection = List<Element>

  /// The source and the follower of an observation of the list.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<List<Element>> {
    _ObservedCollection(self, of: Element.self, watched) { List() }
  }
}

extension MutableSet: ObservableCollection {
  /// The type of the elements.
  public typealias ObservedElement = Element
  /// The type of the collection that handlers get.
  public typealias ObservedCollection = MutableSet<Element>

  /// The source and the follower of an observation of the set.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<MutableSet<Element>> {
    _ObservedCollection(self, of: Element.self, watched) { MutableSet() }
  }
}

extension LinkingObjects: ObservableCollection {
  /// The type of the elements.
  public typealias ObservedElement = Element
  /// The type of the collection that handlers get.
  public typealias ObservedCollection = Results<Element>

  /// The source and the follower of an observation of the linking objects.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<Results<Element>> {
    results._observed(watched)
  }
}

extension _ObservedCollection where Collection: OwnedCollection {
  /// A list or a set of an object in a store.
  ///
  /// - Parameter empty: makes the empty collection for an object that is gone.
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
          // The scope has the object as long as the handler runs.
          scope.hold(found.owner)
          return found.collection
        }
      )
    }
  }
}

/// The type of the elements of a collection.
// SAFETY: a type has no state.
struct ObservedElementType: @unchecked Sendable {
  let type: Any.Type
}
