/// Reports the changes of one object.
// SAFETY: as its superclass.
final class ObjectObservation<Element>: StoreObservation, @unchecked Sendable {
  typealias Handler = @Sendable (ObjectChange<Element>) -> Void
  /// Makes the handler's change from that of the object with a key.
  typealias Maker = @Sendable (ObservedObjectChange, ObjectKey, AccessScope) throws -> ObjectChange<Element>

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
    super.init(executor)
  }

  override var interest: ObservationInterest { follower.interest }

  override var hasEnded: Bool { follower.hasEnded }

  override func evaluate(_ pending: PendingChanges, at state: ObservedState) throws -> Bool {
    try follower.advance(pending, to: state)
  }

  /// Reads the state that the first change is computed against.
  func start(at state: ObservedState) throws { try follower.start(at: state) }

  override func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) throws -> Bool {
    try follower.advanceSilently(pending, to: state)
  }

  override func undoSilentEvaluation() { follower.undoSilentEvaluation() }

  override func report(in scope: Snapshot) throws -> (() -> Void)? {
    guard let change = try follower.takeChange() else { return nil }
    let made = try make(change, follower.key, scope)
    if !follower.hasEnded { scope.costs.add(follower.table) }
    return { [handler] in handler(made) }
  }

  override func fail(_ error: any Error) {
    handler(.error(error))
    onEnd()
  }

  override func end() { onEnd() }
}
