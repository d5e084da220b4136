import FiefCore

/// A collection whose changes can be observed, such as results, a list, a set or linking objects.
public protocol ObservableCollection: ObservableContents
where ObservedChange == RealmCollectionChange<ObservedCollection> {
  /// The type of the elements.
  associatedtype Element
  /// The type of the elements.
  associatedtype ObservedElement = Element
  /// The type of the collection that handlers receive.
  associatedtype ObservedCollection = Self
}

extension Results: ObservableCollection {
  /// Returns the observation of the results.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<RealmCollectionChange<Results>> {
    let source = ObservedSource {
      let store = try observedStore()
      let follower = RowsFollower(
        description,
        of: try store.binding(of: elementType).table.name,
        names: store.queryNames,
        watched: try watched.paths.get(),
        followsLinks: store.observesLinkedObjects
      )
      let results = rebound(to: ObjectContext(store: store, visible: context.visible))
      return .init(store: store, follower: follower) { try results.handedOut(in: $0, $1) }
    }
    return source.observation
  }
}

extension List: ObservableCollection {
  /// Returns the observation of the list.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<RealmCollectionChange<List>> {
    ObservedSource(self, of: elements, isList: true, watched) { List() }.observation
  }
}

extension MutableSet: ObservableCollection {
  /// Returns the observation of the set.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<RealmCollectionChange<MutableSet>> {
    ObservedSource(self, of: elements, isList: false, watched) { MutableSet() }.observation
  }
}

extension LinkingObjects: ObservableCollection {
  /// Handlers receive the linking objects as results.
  public typealias ObservedCollection = Results<Element>

  /// Returns the observation of the linking objects.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<RealmCollectionChange<Results<Element>>> {
    results._observation(watched, of: elements)
  }
}

extension ObservedSource where Collection: OwnedCollection {
  /// Creates the source of the observations of a list or a set.
  ///
  /// - Parameter empty: creates the empty collection reported after the object was deleted.
  fileprivate init(
    _ collection: Collection,
    of element: Any.Type,
    isList: Bool,
    _ watched: _WatchedPaths,
    _ empty: @escaping @Sendable () -> Collection
  ) {
    let place = Result { try ObservedPlace(collection, of: Object.self) }
    let type = ObservedElementType(type: element)
    self.init {
      let place = try place.get()
      return Opened(
        store: place.store,
        follower: try place.follower(of: type.type, isList: isList, watched),
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
private struct ObservedElementType: @unchecked Sendable {
  let type: Any.Type
}
