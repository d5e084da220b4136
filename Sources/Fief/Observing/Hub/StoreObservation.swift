import LMDB

/// One observation of a store: what follows it, and whom to tell of what.
///
/// The hub has one thread at a time call it, which ``ObservationMachine`` sees to; while the handler is called, another
/// one may.
// SAFETY: what subclasses change they change in these calls only, of which there is one at a time, each of them after
// the last one in the order of the hub's lock.
class StoreObservation: @unchecked Sendable {
  /// Where the handler is called.
  let executor: ObservationExecutor
  /// The number that the hub has given it.
  fileprivate(set) var id: ObservationMachine.ID = 0

  init(_ executor: ObservationExecutor) { self.executor = executor }

  /// What it depends on, as after the last look.
  var interest: ObservationInterest { ObservationInterest() }

  /// Whether nothing comes any more, by itself.
  var hasEnded: Bool { false }

  /// Looks at a state.
  ///
  /// - Parameter pending: what may have changed since the last look.
  /// - Returns: whether there is something to report.
  func look(_ pending: PendingChanges, at state: ObservedState) throws -> Bool { false }

  /// Looks at a state that is the last one with changes which nothing is to be reported of.
  ///
  /// - Returns: whether there is something to report.
  func lookUnheard(_ pending: PendingChanges, at state: ObservedState) throws -> Bool { false }

  /// The state of the last ``lookUnheard(_:at:)`` has not come to be.
  func undoUnheard() {}

  /// Takes what there is to report, and calls the handler with it in a closure; nil where there is nothing.
  ///
  /// - Parameter scope: the scope of the state that was looked at last.
  func report(in scope: Snapshot) throws -> (() -> Void)? { nil }

  /// Reports an error, after which nothing comes any more.
  func fail(_ error: any Error) {}

  /// Nothing comes any more.
  func end() {}

  func begin(_ id: ObservationMachine.ID) { self.id = id }
}
