import Fief
import FiefRules

/// Reports the events of a place to a handler.
// SAFETY: only the protocol's methods change the properties; their calls do not overlap, and the hub's lock
// orders them.
final class TreeObservation: StoreObservation, @unchecked Sendable {
  let executor: ObservationExecutor
  let label = StoreUsage.label
  var id: ObservationMachine.ID = 0
  private(set) var interest: ObservationInterest
  private let reference: TreeReference
  /// The query, as access rules see it; `nil` for the place itself.
  private let query: RuleQuery?
  private var follower: TreeFollower
  /// Returns whether the observation with a number has not ended.
  private let isActive: @Sendable (ObservationMachine.ID) -> Bool
  private let handler: @Sendable (TreeEvent) -> Void
  private let onEnd: @Sendable ((any Error)?) -> Void

  /// - Parameter onEnd: called with the error that has ended the observation, or with `nil`.
  init(
    _ executor: ObservationExecutor,
    _ observed: ObservedPlace,
    _ events: TreeEvents,
    _ core: StoreCore,
    onEnd: @escaping @Sendable ((any Error)?) -> Void,
    _ handler: @escaping @Sendable (TreeEvent) -> Void
  ) {
    self.executor = executor
    reference = observed.reference
    let children = ObservedChildren(observed.query.selection, reference.tree.origin.rules.indexes)
    follower = TreeFollower(children, events, isWhole: observed.isWhole)
    interest = follower.interest
    query = observed.isWhole ? nil : observed.query.rules
    isActive = { [weak hub = core.hub] in hub?.isActive($0) ?? false }
    self.handler = handler
    self.onEnd = onEnd
  }

  var hasEnded: Bool { false }

  func evaluate(_ pending: PendingChanges, at state: ObservedState) throws -> Bool {
    try checkPermission(in: try TreeNodes(state.tables, state.transaction))
    return try advance(pending, state) { try $0.advance($1, to: $2) }
  }

  func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) throws -> Bool {
    let hasReport = try advance(pending, state) { try $0.advanceSilently($1, to: $2) }
    // The write may be rolled back, so its rules end the observation with the next report at the earliest.
    return hasReport || reference.client != nil
  }

  /// Checks that the client may still read the place. The observation then depends on the places that the rules
  /// have read, too.
  private func checkPermission(in nodes: TreeNodes) throws {
    guard let client = reference.client else { return }
    let read = try client.checkRead(
      of: reference.location,
      query,
      group: follower.selection.group,
      in: nodes,
      notesPlaces: true
    )
    interest.places = follower.interest.places + read.map(\.place)
  }

  /// Returns whether the client may read a child that has left the window of a query. The grant of the query no
  /// longer holds for it.
  private func mayRead(_ path: TreePath, in nodes: TreeNodes) throws -> Bool {
    guard let client = reference.client, query != nil else { return true }
    do { try client.checkRead(of: path, in: nodes) } catch let error as FiefError
      where error.code == .permissionDenied
    { return false }
    return true
  }

  func undoSilentEvaluation() { follower.undo() }

  private func advance(
    _ pending: PendingChanges,
    _ state: ObservedState,
    _ body: (inout TreeFollower, NotedPlaces?, TreeNodes) throws -> Bool
  ) throws -> Bool {
    let nodes = try TreeNodes(state.tables, state.transaction)
    var places: NotedPlaces? = pending.changes.places
    if pending.isUnknown {
      places = ChangeRing(nodes).places(after: pending.unknownAfter)?.union(pending.changes.places)
    }
    do { return try body(&follower, places, nodes) } catch {
      throw FiefError.described(error, store: nodes.storeName, at: reference.location)
    }
  }

  func report(in scope: Snapshot) throws -> (() -> Void)? {
    let events: [TreeEvent]
    do {
      let nodes = try TreeNodes(in: scope)
      try checkPermission(in: nodes)
      if follower.isUnindexed { UnindexedQueries.shared.report(follower.selection, in: scope.store) }
      events = try follower.takeEvents(in: nodes) { try mayRead($0, in: nodes) }
        .map { TreeEvent($0, reference) }
    } catch {
      throw FiefError.described(error, store: scope.store.name, at: reference.location)
    }
    if events.isEmpty { return nil }
    return { [id, isActive, handler] in
      // The handler may invalidate its token.
      for event in events where isActive(id) { handler(event) }
    }
  }

  func fail(_ error: any Error) { onEnd(error) }

  func end() { onEnd(nil) }
}
