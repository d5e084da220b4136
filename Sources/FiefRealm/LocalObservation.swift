import Dispatch
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
  /// Returns the change that the handler receives.
  private let converted: @Sendable (Change) -> Change
  private let observation: _Observation<Change>

  /// - Parameters:
  ///   - shown: returns the instance in a change.
  ///   - converting: returns the change that the handler receives.
  init(
    of held: AnyObject?,
    _ observation: _Observation<Change>,
    shown: @escaping @Sendable (Change) -> AnyObject?,
    converting: @escaping @Sendable (Change) -> Change = { $0 }
  ) {
    self.converted = converting
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
    let isHere = isolation != nil || HandlerPlace.isKnown
    return observe(.caller(isolation), every: interval, isHere: isHere) { handler.call($0) }
  }

  /// Calls a handler on the main actor.
  func observeOnMain(
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (Change) -> Void
  ) -> NotificationToken {
    let handler = MainHandler(handler)
    let executor = ObservationExecutor.actor(MainActor.shared).showingSnapshot()
    return observe(executor, every: interval, isHere: MainQueue.isCurrent) { handler.call($0) }
  }

  /// Calls a handler on its actor, or, without an actor, on a queue.
  func observe(
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @isolated(any) (Change) -> Void
  ) -> NotificationToken {
    observe(on: queue, of: handler.isolation, every: interval, LocalHandler(isolated: handler))
  }

  /// Calls a handler on its actor, or, without an actor, on a queue.
  func observe(
    on queue: DispatchQueue?,
    of isolation: (any Actor)?,
    every interval: Duration? = nil,
    _ handler: LocalHandler<Change>
  ) -> NotificationToken {
    let place = HandlerPlace(of: isolation, on: queue)
    return observe(place.executor, every: interval, isHere: place.isCaller) { handler.call($0) }
  }

  /// - Parameter isHere: whether the handler may use the observed instance, because both are in one place.
  private func observe(
    _ executor: ObservationExecutor,
    every interval: Duration?,
    isHere: Bool,
    _ handler: @escaping @Sendable (Change) -> Void
  ) -> NotificationToken {
    let (instance, shown, converted) = (isHere ? held.map { ObservedInstance($0) } : nil, shown, converted)
    return observation.observe(executor.every(interval)) { change in
      if let instance, let shown = shown(change) { instance.refresh(like: shown) }
      handler(converted(change))
    }
  }
}

/// Returns the list, set or map behind a collection, or `nil` for other collections.
private func ownedCollection(_ collection: Any) -> AnyObject? {
  ((collection as? any ErasedCollectionHolder)?.hidden ?? collection) as? _OwnedCollection
}
