import FiefCore

/// Follows something from one committed state to the next. One thread at a time.
package protocol StateFollower: AnyObject {
  /// The types and objects that the follower depends on; they may change with each call.
  var interest: ObservationInterest { get }

  /// Reads the first state, of which nothing is reported.
  func start(at state: ObservedState) throws

  /// Advances to a later state.
  ///
  /// - Returns: whether there is something to report then.
  func advance(_ pending: PendingChanges, to state: ObservedState) throws -> Bool

  /// Advances to the next state without reporting its changes; changes that were to be reported before still
  /// are.
  ///
  /// - Returns: whether there is something to report then.
  func advanceSilently(_ changes: PendingChanges, to state: ObservedState) throws -> Bool

  /// Undoes the last ``advanceSilently(_:to:)``, whose write was rolled back: the report is again the one
  /// before it. The next advance treats all changes as unknown.
  func undoSilentEvaluation()
}
