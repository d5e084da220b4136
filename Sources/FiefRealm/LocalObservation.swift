import Fief

/// An observation whose handler is called in the caller's isolation, or on the main actor.
///
/// If the handler is called in the isolation of the observed instance, that instance has the state of the
/// change in the handler.
struct LocalObservation<Change> {
  /// The observed object, list, set or map, or `nil` for collections that are read on each use.
  private let held: AnyObject?
  /// Returns the instance in a change whose state the observed instance takes over.
  private let shown: @Sendable (Change) -> AnyObject?
  private let observation: _Observation<Change>

  /// - Parameter shown: returns the instance in a change.
  init(
    of held: AnyObject?,
    _ observation: _Observation<Change>,
    shown: @escaping @Sendable (Change) -> AnyObject?
  ) {
    self.held = held
    self.shown = shown
    self.observation = observation
  }

  /// Creates the observation of contents. In the handler, a list, a set or a map has the state of the change.
  init(of contents: Any, _ observation: _Observation<Change>) {
    self.init(of: ownedCollection(contents), observation) {
      observation.contents(of: $0).flatMap(ownedCollection)
    }
  }

  /// Calls a handler in the caller's isolation.
  ///
  /// - Parameter isolation: the caller's actor.
  func observe(
    every interval: Duration? = nil,
    isolation: (any Actor)?,
    _ handler: @escaping (Change) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler(handler)
    return observe(.caller(isolation), every: interval, isolation) { handler.call($0) }
  }

  /// Calls a handler on the main actor.
  func observeOnMain(
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (Change) -> Void
  ) -> NotificationToken {
    let handler = MainHandler(handler)
    return observe(.actor(MainActor.shared).showingSnapshot(), every: interval, nil) { handler.call($0) }
  }

  private func observe(
    _ executor: ObservationExecutor,
    every interval: Duration?,
    _ isolation: (any Actor)?,
    _ handler: @escaping @Sendable (Change) -> Void
  ) -> NotificationToken {
    let (instance, shown) = (held.flatMap { ObservedInstance.ofCaller($0, isolation) }, shown)
    return observation.observe(executor.every(interval)) { change in
      if let instance, let shown = shown(change) { instance.refresh(like: shown) }
      handler(change)
    }
  }
}

/// Returns the list, set or map behind a collection, or `nil` for other collections.
private func ownedCollection(_ collection: Any) -> AnyObject? {
  ((collection as? any ErasedCollectionHolder)?.hidden ?? collection) as? _OwnedCollection
}
