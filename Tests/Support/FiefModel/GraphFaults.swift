/// Lets system calls on the files of a store fail.
package protocol GraphFaults: AnyObject {
  /// Before a step: chooses whether a call of it fails, and which.
  func begin() -> GraphFaultPlan?
  /// After it; from then on no call fails.
  /// - Returns: the call that has failed; nil where none has.
  func end() -> String?
}

/// What happens around a step in which a call may fail.
package struct GraphFaultPlan: Sendable, CustomStringConvertible {
  /// Whether the store is closed before, so that the step opens it.
  package var closesBefore: Bool
  /// Whether the store is closed after a failure, before it is looked at.
  package var closesAfter: Bool
  package var description: String

  package init(closesBefore: Bool, closesAfter: Bool, description: String) {
    self.closesBefore = closesBefore
    self.closesAfter = closesAfter
    self.description = description
  }
}
