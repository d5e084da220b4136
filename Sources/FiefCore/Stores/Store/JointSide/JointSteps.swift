/// The steps of writes to several stores and of their recovery, for tests that end the process at each step.
package enum JointSteps {
  /// A closure that is called before each step, on the thread of the step. If it throws, the step fails with
  /// its error.
  @TaskLocal package static var observer: (@Sendable (String) throws -> Void)?

  package static func tell(_ step: @autoclosure () -> String) throws {
    if let observer { try observer(step()) }
  }
}
