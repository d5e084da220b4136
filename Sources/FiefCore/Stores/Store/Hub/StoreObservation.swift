import LMDB

/// One observation of a store: its state as of the last evaluation, and its handler.
///
/// ``ObservationMachine`` lets only one thread at a time call the methods. While the handler runs, a write
/// that holds the observation may evaluate it. The calls do not overlap, and the hub's lock orders them.
package protocol StoreObservation: AnyObject, Sendable {
  /// The executor on which the handler is called.
  var executor: ObservationExecutor { get }

  /// The label under which the observation's reads are counted.
  var label: String? { get }

  /// The number that the hub has assigned to the observation.
  var id: ObservationMachine.ID { get set }

  /// The types, objects and columns on which the observation depends, as of the last evaluation.
  var interest: ObservationInterest { get }

  /// Whether the observation has ended by itself, for example because the object was deleted.
  var hasEnded: Bool { get }

  /// Evaluates the observation in a snapshot.
  ///
  /// - Parameter pending: the changes since the last evaluation.
  /// - Returns: whether the handler must be called.
  func evaluate(_ pending: PendingChanges, at state: ObservedState) throws -> Bool

  /// Evaluates the observation in the snapshot of a write that does not notify it.
  ///
  /// - Returns: whether the handler must be called for changes of other writes.
  func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) throws -> Bool

  /// Undoes the last ``evaluateSilently(_:at:)``, whose write was rolled back.
  func undoSilentEvaluation()

  /// Removes the changes to report and returns a closure that calls the handler with them; nil if there are
  /// no changes.
  ///
  /// - Parameter scope: the snapshot of the last evaluation.
  func report(in scope: Snapshot) throws -> (() -> Void)?

  /// Calls the handler with an error. This is its last call.
  func fail(_ error: any Error)

  /// Releases the changes for the next call of the handler, because the handler will not be called again.
  func end()
}
