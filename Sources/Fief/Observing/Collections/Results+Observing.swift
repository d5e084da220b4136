extension Results: ObservableCollection {
  /// The type of the elements.
  public typealias ObservedElement = Element

  /// The source and the follower of an observation of the results.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<Results<Element>> {
    _ObservedCollection {
      let store = try observedStore()
      let follower = RowsFollower(
        description,
        of: try store.binding(of: elementType).table.name,
        names: store.queryNames,
        watched: try watched.paths.get()
      )
      let results = rebound(to: ObjectContext(store: store, visible: context.visible))
      return .init(store: store, follower: follower) { try results.handedOut(in: $0, $1) }
    }
  }

  /// The store of the results.
  ///
  /// - Throws: ``FiefError`` for the error of the results, and for a store that is closed.
  func observedStore() throws -> StoreCore {
    if let failure { throw failure }
    if context.given != nil {
      throw FiefError(
        .objectNotFound,
        "The collection belongs to no object of a store, so that it cannot be observed.",
        type: Element.className()
      )
    }
    guard let store = context.store, !store.isClosed else {
      throw FiefError(
        .storeClosed,
        "The store is closed.",
        store: context.store?.name,
        type: Element.className()
      )
    }
    try checkCursors(in: store)
    return store
  }
}
