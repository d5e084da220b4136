import LMDB

/// One observation of a store: its state as of the last evaluation, and its handler.
///
/// ``ObservationMachine`` lets one thread at a time call it; while the handler runs, another thread may evaluate it.
// SAFETY: subclasses change their properties in these calls only, which do not overlap and are ordered by the hub's
// lock.
class StoreObservation: @unchecked Sendable {
  /// The executor on which the handler is called.
  let executor: ObservationExecutor
  /// The label of its observer, under which its reads count.
  let label = StoreUsage.label
  /// The number that the hub has given it.
  fileprivate(set) var id: ObservationMachine.ID = 0

  init(_ executor: ObservationExecutor) { self.executor = executor }

  /// The types, objects and columns that it depends on, as of the last evaluation.
  var interest: ObservationInterest { ObservationInterest() }

  /// Whether it has ended by itself, as after the deletion of the object.
  var hasEnded: Bool { false }

  /// Evaluates it in a snapshot.
  ///
  /// - Parameter pending: the changes since the last evaluation.
  /// - Returns: whether its handler has to be called.
  func evaluate(_ pending: PendingChanges, at state: ObservedState) throws -> Bool { false }

  /// Evaluates it in the snapshot of a write that does not notify it.
  ///
  /// - Returns: whether its handler has to be called, for changes of other writes.
  func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) throws -> Bool { false }

  /// Undoes the last ``evaluateSilently(_:at:)``, whose write was rolled back.
  func undoSilentEvaluation() {}

  /// Takes the changes to report and returns a closure that calls the handler with them; nil where there are none.
  ///
  /// - Parameter scope: the snapshot of the last evaluation.
  func report(in scope: Snapshot) throws -> (() -> Void)? { nil }

  /// Calls the handler with an error, as its last call.
  func fail(_ error: any Error) {}

  /// Releases the changes for the handler's next call, which does not come any more.
  func end() {}

  func begin(_ id: ObservationMachine.ID) { self.id = id }
}
