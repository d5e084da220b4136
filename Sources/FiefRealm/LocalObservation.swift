import Fief

/// An observation whose handler is called in the caller's isolation, or on the main actor.
///
/// If the handler is called in the isolation of the observed instance, that instance has the state of the
/// change in the handler.
public struct _LocalObservation<Change> {
  typealias Handler = @Sendable (Change) -> Void

  /// The observed object, list, set or map, or `nil` for collections that are read on each use.
  private let held: AnyObject?
  /// Returns the instance in a change whose state the observed instance takes over.
  private let shown: @Sendable (Change) -> AnyObject?
  private let begin: (ObservationExecutor, @escaping Handler) -> NotificationToken

  init(
    of held: AnyObject? = nil,
    shown: @escaping @Sendable (Change) -> AnyObject? = { _ in nil },
    begin: @escaping (ObservationExecutor, @escaping Handler) -> NotificationToken
  ) {
    self.held = held
    self.shown = shown
    self.begin = begin
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
    _ handler: @escaping Handler
  ) -> NotificationToken {
    let (instance, shown) = (held.flatMap { ObservedInstance.ofCaller($0, isolation) }, shown)
    return begin(executor.every(interval)) { change in
      if let instance, let shown = shown(change) { instance.refresh(like: shown) }
      handler(change)
    }
  }
}

typealias LocalObservation = _LocalObservation

extension _LocalObservation {
  /// Creates the observation of a collection. In the handler, a list or a set has the state of the change.
  init<Collection>(of collection: Any, _ observed: _ObservedCollection<Collection>)
  where Change == RealmCollectionChange<Collection> {
    self.init(
      of: ownedCollection(collection),
      shown: { change in
        switch change {
        case .initial(let shown), .update(let shown, _, _, _): ownedCollection(shown)
        case .error: nil
        }
      },
      begin: { observed.observe($0, $1) }
    )
  }
}

/// Returns the list, set or map behind a collection, or `nil` for other collections.
private func ownedCollection(_ collection: Any) -> AnyObject? {
  ((collection as? any ErasedCollectionHolder)?.hidden ?? collection) as? _OwnedCollection
}
