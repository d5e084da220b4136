extension Results: ObservableCollection {
  public typealias ObservedElement = Element

  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<Results<Element>> {
    _ObservedCollection {
      if let failure { throw failure }
      guard let store = context.store, !store.isClosed else {
        throw FiefError(.storeClosed, "The store is closed.", store: context.store?.name, type: Element.className())
      }
      try checkCursors(in: store)
      let follower = RowsFollower(
        description,
        of: try store.binding(of: Element.self).table.name,
        names: store.queryNames,
        watched: try watched.paths.get()
      )
      let results = rebound(to: store.newestContext)
      return .init(store: store, follower: follower) { scope in results.rebound(to: scope.context) }
    }
  }
}
