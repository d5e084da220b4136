import Foundation

/// A run of this program as another process, with a limit of time.
package struct ChildRun {
  package enum End: Equatable, Sendable {
    case exited(Int32), signal(Int32), hung
  }

  package let lines: [String]
  package let end: End

  /// - Parameters:
  ///   - arguments: those of the program.
  ///   - environment: what is set beside the environment of this process.
  ///   - seconds: the limit; a process that runs longer is killed and has hung.
  package init(_ arguments: [String], environment: [String: String] = [:], output: String, seconds: Double)
    throws
  {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    try Data().write(to: URL(filePath: output))
    let file = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardOutput = file
    process.standardError = file
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let start = ContinuousClock.now
    var hung = false
    while process.isRunning {
      usleep(1_000)
      if !hung, ContinuousClock.now - start > .seconds(seconds) {
        hung = true
        kill(process.processIdentifier, SIGKILL)
      }
    }
    try file.close()
    let text = String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
    lines = text.split(separator: "\n").map(String.init)
    end =
      hung
      ? .hung
      : process.terminationReason == .exit
        ? .exited(process.terminationStatus) : .signal(process.terminationStatus)
  }
}
