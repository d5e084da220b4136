import FiefCore

/// Reports the changes of a collection to a handler.
// SAFETY: only the protocol's methods change the properties; their calls do not overlap, and the hub's lock
// orders them.
final class CollectionObservation<Collection>: StoreObservation, @unchecked Sendable {
  typealias Handler = @Sendable (RealmCollectionChange<Collection>) -> Void

  let executor: ObservationExecutor
  let label = StoreUsage.label
  var id: ObservationMachine.ID = 0
  private let follower: any CollectionFollower
  private let collection: @Sendable (Snapshot, any CollectionFollower) throws -> Collection
  private let handler: Handler
  private let onEnd: @Sendable () -> Void
  private var phase = Phase.new

  private enum Phase { case new, started, reported }

  /// - Parameters:
  ///   - follower: a follower that no other observation uses.
  ///   - collection: returns the collection in the state of the follower, read through the scope.
  ///   - onEnd: called when the observation has ended.
  init(
    _ executor: ObservationExecutor,
    _ follower: any CollectionFollower,
    onEnd: @escaping @Sendable () -> Void = {},
    collection: @escaping @Sendable (Snapshot, any CollectionFollower) throws -> Collection,
    _ handler: @escaping Handler
  ) {
    self.follower = follower
    self.collection = collection
    self.handler = handler
    self.onEnd = onEnd
    self.executor = executor
  }

  var interest: ObservationInterest { follower.interest }

  var hasEnded: Bool { false }

  func evaluate(_ pending: PendingChanges, at state: ObservedState) throws -> Bool {
    guard phase == .new else { return try follower.advance(pending, to: state) || phase == .started }
    try follower.start(at: state)
    phase = .started
    return true
  }

  func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) throws -> Bool {
    try follower.advanceSilently(pending, to: state) || phase == .started
  }

  func undoSilentEvaluation() { follower.undoSilentEvaluation() }

  func report(in scope: Snapshot) throws -> (() -> Void)? {
    if phase != .reported {
      // The collection passed to the handler already contains the changes that this call drops.
      _ = follower.takeChanges()
      let collection = try collection(scope, follower)
      phase = .reported
      noteCost(of: nil, scope)
      return { [handler] in handler(.initial(collection)) }
    }
    guard let changes = follower.takeChanges() else { return nil }
    let collection = try collection(scope, follower)
    noteCost(of: changes, scope)
    return { [handler] in
      handler(
        .update(
          collection,
          deletions: changes.deletions,
          insertions: changes.insertions,
          modifications: changes.formerModifications
        )
      )
    }
  }

  private func noteCost(of changes: CollectionChanges?, _ scope: Snapshot) {
    let (typeName, reads) = follower.cost(of: changes)
    if reads > 0, let table = scope.store.tables[typeName] { scope.costs.add(table, reads: reads) }
  }

  func fail(_ error: any Error) {
    handler(.error(error))
    onEnd()
  }

  func end() { onEnd() }
}
