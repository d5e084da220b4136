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
}
