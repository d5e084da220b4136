/// The steps of writes to several stores and of their recovery, for tests that end the process at each.
package enum JointSteps {
  /// Called before each step, on its thread; an error that it throws is the failure of the step.
  @TaskLocal package static var observer: (@Sendable (String) throws -> Void)?

  package static func tell(_ step: @autoclosure () -> String) throws {
    if let observer { try observer(step()) }
  }
}
