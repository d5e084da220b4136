import ChildProcesses
import Foundation

/// A process of this program, or of another one, that runs; what it prints goes to a file.
package final class RunningChild: Sendable {
  private let process: ChildProcess
  private let output: String

  /// - Parameters:
  ///   - arguments: those of the program.
  ///   - program: the path of the program; nil for this one.
  ///   - environment: what is set beside the environment of this process.
  ///   - output: the path of the file; what it has stays, so that a process can go on where another was killed.
  package init(
    _ arguments: [String],
    of program: String? = nil,
    environment: [String: String] = [:],
    output: String
  ) throws {
    self.output = output
    process = try ChildProcess(
      URL(filePath: program ?? "/proc/self/exe").resolvingSymlinksInPath().path(percentEncoded: false),
      arguments,
      environment: .inherited(adding: environment),
      output: .file(output),
      errors: .output
    )
  }

  package var isRunning: Bool { process.isRunning }

  package func kill() { process.kill() }

  /// Waits for the end; a process that runs longer is killed and has hung.
  package func wait(seconds: Double) -> ChildProcess.End { process.wait(timeLimit: .seconds(seconds)) }

  /// The lines that the process has printed. The last one may be cut off where it was killed.
  package func lines() throws -> [String] {
    String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// Waits until the process has printed a line that begins with a text.
  ///
  /// - Returns: `false` if it ends or hangs before.
  package func prints(_ line: String) throws -> Bool {
    let limit = ContinuousClock.now + .seconds(ChildRun.hangLimit)
    while try !lines().contains(where: { $0.hasPrefix(line) }) {
      guard isRunning, .now < limit else { return false }
      usleep(500)
    }
    return true
  }
}
