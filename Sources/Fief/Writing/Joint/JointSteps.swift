/// The steps of writes to several stores and of their recovery, for tests that end the process at each.
package enum JointSteps {
  /// Hears of each step before it is done, on the thread that does it; what it throws is the step's failure.
  @TaskLocal package static var observer: (@Sendable (String) throws -> Void)?

  static func tell(_ step: @autoclosure () -> String) throws {
    if let observer { try observer(step()) }
  }
}
