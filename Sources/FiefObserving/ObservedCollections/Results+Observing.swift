import FiefCore

extension Results: ObservableCollection {
  /// Returns the store, the follower and the results for an observation.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<Results<Element>> {
    _ObservedCollection {
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
  }
}
