import ChildProcesses
import Foundation

/// A run of this program as another process, or of another program, with a limit of time.
package struct ChildRun: Sendable {
  /// The seconds after which a process that should have ended long before has hung, on a machine with much else to do, too.
  package static let hangLimit = 600.0

  package let lines: [String]
  package let end: ChildProcess.End

  /// - Parameters:
  ///   - arguments: those of the program.
  ///   - program: the path of the program; nil for this one.
  ///   - environment: what is set beside the environment of this process.
  ///   - output: the path of the file for what the process prints; it is made again.
  ///   - seconds: the limit; a process that runs longer is killed and has hung.
  package init(
    _ arguments: [String],
    of program: String? = nil,
    environment: [String: String] = [:],
    output: String,
    seconds: Double
  ) throws {
    try? FileManager.default.removeItem(atPath: output)
    let child = try RunningChild(arguments, of: program, environment: environment, output: output)
    end = child.wait(seconds: seconds)
    lines = try child.lines()
  }
}

extension ChildProcess.End {
  /// Whether it can be the end of a process that was killed: by the signal, or done with its work a moment before.
  package var isOfKilled: Bool { self == .signal(SIGKILL) || self == .exited(0) }
}
