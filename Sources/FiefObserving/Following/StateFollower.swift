import FiefCore

/// Follows observed contents from one committed state to the next. Only one thread uses a follower at a time.
package protocol StateFollower: AnyObject {
  /// The types and objects that the follower depends on. They may change with each call.
  var interest: ObservationInterest { get }

  /// Reads the first state. It is not reported as a change.
  func start(at state: ObservedState) throws

  /// Advances to a later state.
  ///
  /// - Returns: whether there are changes to report.
  func advance(_ pending: PendingChanges, to state: ObservedState) throws -> Bool

  /// Advances to the next state without reporting its changes. Changes that were already waiting to be
  /// reported remain.
  ///
  /// - Returns: whether there are changes to report.
  func advanceSilently(_ changes: PendingChanges, to state: ObservedState) throws -> Bool

  /// Undoes the last ``advanceSilently(_:to:)``, because its write was rolled back, and restores the report
  /// from before. The next advance treats all changes as unknown.
  func undoSilentEvaluation()
}
