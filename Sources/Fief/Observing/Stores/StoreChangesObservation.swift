/// Reports the changes of a whole store.
// SAFETY: as its superclass.
final class StoreChangesObservation: StoreObservation, @unchecked Sendable {
  private let handler: @Sendable (ChangeSet) -> Void
  private let onEnd: @Sendable ((any Error)?) -> Void
  private let visible: VisibleTypes?
  private var kept = ChangeSet()

  /// - Parameter visible: the types that are reported; nil for all.
  init(
    _ executor: ObservationExecutor,
    _ visible: VisibleTypes?,
    onEnd: @escaping @Sendable ((any Error)?) -> Void,
    _ handler: @escaping @Sendable (ChangeSet) -> Void
  ) {
    self.visible = visible
    self.handler = handler
    self.onEnd = onEnd
    super.init(executor)
  }

  override var interest: ObservationInterest { ObservationInterest(isEverything: true) }

  override func evaluate(_ pending: PendingChanges, at state: ObservedState) -> Bool {
    kept.append(visible?.restricted(pending.changes) ?? pending.changes)
    if pending.isUnknown { kept.isComplete = false }
    return hasReport
  }

  override func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) -> Bool { hasReport }

  override func report(in scope: Snapshot) -> (() -> Void)? {
    guard hasReport else { return nil }
    let changes = kept
    kept = ChangeSet()
    return { [handler] in handler(changes) }
  }

  private var hasReport: Bool { !kept.isEmpty || !kept.isComplete }

  override func fail(_ error: any Error) { onEnd(error) }

  override func end() { onEnd(nil) }
}
