import Foundation

/// A process of this program, or of another one, that runs; what it prints goes to a file.
package final class RunningChild: @unchecked Sendable {
  // Used by one thread at a time: the one that started it.
  private let process = Process()
  private let output: String
  private let file: FileHandle

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
    process.executableURL = URL(filePath: program ?? "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if !FileManager.default.fileExists(atPath: output) { try Data().write(to: URL(filePath: output)) }
    file = try FileHandle(forWritingTo: URL(filePath: output))
    try file.seekToEnd()
    process.standardOutput = file
    process.standardError = file
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  package var isRunning: Bool { process.isRunning }

  package func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits for the end; a process that runs longer is killed and has hung.
  package func wait(seconds: Double) throws -> ChildRun.End {
    let start = ContinuousClock.now
    var hung = false
    var sawEnd: ContinuousClock.Instant?
    while process.isRunning {
      usleep(1_000)
      if let end = endOfSystem {
        let first = sawEnd ?? .now
        sawEnd = first
        if ContinuousClock.now - first > .seconds(5) {
          try file.close()
          return hung ? .hung : end
        }
      }
      if !hung, ContinuousClock.now - start > .seconds(seconds) {
        hung = true
        kill()
      }
    }
    try file.close()
    if hung { return .hung }
    return process.terminationReason == .exit
      ? .exited(process.terminationStatus) : .signal(process.terminationStatus)
  }

  /// How the process has ended as the system says; nil while it runs, and once `Process` has taken note of it. That has missed the end
  /// of one among thousands of processes.
  private var endOfSystem: ChildRun.End? {
    var info = siginfo_t()
    let flags = WEXITED | WNOHANG | WNOWAIT
    guard waitid(P_PID, id_t(process.processIdentifier), &info, flags) == 0, info.si_signo == SIGCHLD else {
      return nil
    }
    let status = info._sifields._sigchld.si_status
    return Int(info.si_code) == Int(CLD_EXITED) ? .exited(status) : .signal(status)
  }

  /// The lines that the process has printed. The last one may be cut off where it was killed.
  package func lines() throws -> [String] {
    String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}
