/// Follows something from one committed state to the next. One thread at a time.
protocol StateFollower: AnyObject {
  /// What it depends on; it may be another one after each call.
  var interest: ObservationInterest { get }

  /// Looks everything up; there is nothing to report yet.
  func start(at state: ObservedState) throws

  /// Brings it to a later state.
  ///
  /// - Returns: whether there is something to report then.
  func advance(_ pending: PendingChanges, to state: ObservedState) throws -> Bool

  /// Brings it from the state that it is at to the next one, of which nothing is to be reported: what was there to
  /// report before is there still.
  ///
  /// - Returns: whether there is something to report then.
  func advanceUnheard(_ changes: PendingChanges, to state: ObservedState) throws -> Bool

  /// Takes the last ``advanceUnheard(_:to:)`` back, whose state has not come to be: what is there to report is that again.
  /// Whatever it is brought to next, everything may have changed.
  func undoUnheard()
}
