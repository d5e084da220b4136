import FiefCore

/// Reports the changes of one object to a handler.
// SAFETY: only the protocol's methods change the properties; their calls do not overlap, and the hub's lock
// orders them.
package final class ObjectObservation<Element>: StoreObservation, @unchecked Sendable {
  typealias Handler = @Sendable (ObjectChange<Element>) -> Void
  /// Creates the handler's change from the change of the object with a key.
  package typealias Maker =
    @Sendable (ObservedObjectChange, ObjectKey, AccessScope) throws -> ObjectChange<Element>

  package let executor: ObservationExecutor
  package let label = StoreUsage.label
  package var id: ObservationMachine.ID = 0
  private let follower: ObjectFollower
  private let make: Maker
  private let handler: Handler
  private let onEnd: @Sendable () -> Void

  init(
    _ executor: ObservationExecutor,
    _ follower: ObjectFollower,
    onEnd: @escaping @Sendable () -> Void,
    make: @escaping Maker,
    _ handler: @escaping Handler
  ) {
    self.follower = follower
    self.make = make
    self.handler = handler
    self.onEnd = onEnd
    self.executor = executor
  }

  package var interest: ObservationInterest { follower.interest }

  package var hasEnded: Bool { follower.hasEnded }

  package func evaluate(_ pending: PendingChanges, at state: ObservedState) throws -> Bool {
    try follower.advance(pending, to: state)
  }

  /// Reads the state that the first change is compared with.
  func start(at state: ObservedState) throws { try follower.start(at: state) }

  package func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) throws -> Bool {
    try follower.advanceSilently(pending, to: state)
  }

  package func undoSilentEvaluation() { follower.undoSilentEvaluation() }

  package func report(in scope: Snapshot) throws -> (() -> Void)? {
    guard let change = try follower.takeChange() else { return nil }
    let made = try make(change, follower.key, scope)
    if !follower.hasEnded { scope.costs.add(follower.table) }
    return { [handler] in handler(made) }
  }

  package func fail(_ error: any Error) {
    handler(.error(error))
    onEnd()
  }

  package func end() { onEnd() }
}
