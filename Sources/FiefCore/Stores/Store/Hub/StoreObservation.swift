import LMDB

/// One observation of a store: its state as of the last evaluation, and its handler.
///
/// ``ObservationMachine`` lets one thread at a time call it; while the handler runs, another thread may evaluate it.
/// The calls do not overlap, and the hub's lock orders them.
package protocol StoreObservation: AnyObject, Sendable {
  /// The executor on which the handler is called.
  var executor: ObservationExecutor { get }

  /// The label of its observer, under which its reads count.
  var label: String? { get }

  /// The number that the hub has given it.
  var id: ObservationMachine.ID { get set }

  /// The types, objects and columns that it depends on, as of the last evaluation.
  var interest: ObservationInterest { get }

  /// Whether it has ended by itself, as after the deletion of the object.
  var hasEnded: Bool { get }

  /// Evaluates it in a snapshot.
  ///
  /// - Parameter pending: the changes since the last evaluation.
  /// - Returns: whether its handler has to be called.
  func evaluate(_ pending: PendingChanges, at state: ObservedState) throws -> Bool

  /// Evaluates it in the snapshot of a write that does not notify it.
  ///
  /// - Returns: whether its handler has to be called, for changes of other writes.
  func evaluateSilently(_ pending: PendingChanges, at state: ObservedState) throws -> Bool

  /// Undoes the last ``evaluateSilently(_:at:)``, whose write was rolled back.
  func undoSilentEvaluation()

  /// Takes the changes to report and returns a closure that calls the handler with them; nil if there are none.
  ///
  /// - Parameter scope: the snapshot of the last evaluation.
  func report(in scope: Snapshot) throws -> (() -> Void)?

  /// Calls the handler with an error, as its last call.
  func fail(_ error: any Error)

  /// Releases the changes for the handler's next call, which does not come any more.
  func end()
}
