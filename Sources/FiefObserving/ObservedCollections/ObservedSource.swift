import FiefCore

/// The source of a collection's observations: it creates the follower of each of them.
struct ObservedSource<Collection>: Sendable {
  /// The follower of one observation.
  struct Opened {
    let store: StoreCore
    let follower: any CollectionFollower
    /// Returns the collection in the state of the follower, read through the scope.
    let collection: @Sendable (Snapshot, any CollectionFollower) throws -> Collection
    /// Called with the id of the observation after it has begun.
    var didBegin: (@Sendable (ObservationHub, ObservationMachine.ID) -> Void)?
  }

  private let open: @Sendable () throws -> Opened

  init(_ open: @escaping @Sendable () throws -> Opened) { self.open = open }

  /// The observation of the collection.
  var observation: _Observation<RealmCollectionChange<Collection>> {
    _Observation { observe($0, onEnd: $1, $2) }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  func observe(
    _ executor: ObservationExecutor,
    onEnd: @escaping @Sendable () -> Void = {},
    _ handler: @escaping @Sendable (RealmCollectionChange<Collection>) -> Void
  ) -> NotificationToken {
    switch Result(catching: open) {
    case .success(let source):
      let observation = CollectionObservation(
        executor,
        source.follower,
        onEnd: onEnd,
        collection: source.collection,
        handler
      )
      let token = source.store.hub.add(observation, of: source.store)
      source.didBegin?(source.store.hub, observation.id)
      return token
    case .failure(let error):
      return executor.enqueueOnce {
        handler(.error(error))
        onEnd()
      }
    }
  }
}
