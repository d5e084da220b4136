import FiefCore

/// Reports the changes of a whole store.
// SAFETY: only the protocol's methods change the properties; their calls do not overlap, and the hub's lock
// orders them.
final class StoreChangesObservation: StoreObservation, @unchecked Sendable {
  let executor: ObservationExecutor
  let label = StoreUsage.label
  var id: ObservationMachine.ID = 0
  private let handler: @Sendable (ChangeSet) -> Void
  private let onEnd: @Sendable ((any Error)?) -> Void
  private let visible: VisibleTypes?
  private var kept = ChangeSet()

  /// - Parameter visible: the types that are reported, or `nil` for all types.
  init(
    _ executor: ObservationExecutor,
    _ visible: VisibleTypes?,
    onEnd: @escaping @Sendable ((any Error)?) -> Void,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) {
    self.visible = visible
    self.handler = handler
    self.onEnd = onEnd
    self.executor = executor
  }

  var interest: ObservationInterest { ObservationInterest(isEverything: true) }

  var hasEnded: Bool { false }

  func evaluate(_ pending: PendingChanges, at state: ObservedState) -> Bool {
    kept.append(visible?.restricted(pending.changes) ?? pending.changes)
    if pending.isUnknown { kept.isComplete = false }
    return hasReport
  }

  func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) -> Bool { hasReport }

  /// Empty, because ``evaluateSilently(_:at:)`` stores nothing that must be undone.
  func undoSilentEvaluation() {}

  func report(in scope: Snapshot) -> (() -> Void)? {
    guard hasReport else { return nil }
    let changes = kept
    kept = ChangeSet()
    return { [handler] in handler(changes) }
  }

  private var hasReport: Bool { !kept.isEmpty || !kept.isComplete }

  func fail(_ error: any Error) { onEnd(error) }

  func end() { onEnd(nil) }
}
