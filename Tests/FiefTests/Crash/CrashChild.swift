import ChildProcesses
import Foundation
import Testing

/// A child that writes to stores and is killed; its lines are read as they come, so that it never waits for
/// space in the pipe.
final class CrashChild {
  private let child: ChildProcess
  private var received: [UInt8] = []

  init(_ mode: String, _ arguments: String...) throws {
    child = try ChildProcess(ChildProcess.built("fief-crash-child"), [mode] + arguments, output: .pipe)
  }

  /// The number of the process.
  var number: Int32 { child.id }

  /// Waits for the first line that begins with `mark`, lets the child go on for some time, and kills it.
  ///
  /// - Returns: every whole line that it wrote, and its end.
  func kill(microseconds: Int, after mark: String) throws -> (lines: [Substring], end: ChildProcess.End) {
    wait(for: mark)
    let deadline = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < deadline, read(until: deadline) {}
    child.kill()
    return finish()
  }

  /// Waits for the first line that begins with `mark`, or for the child's end.
  func wait(for mark: String) {
    while !hasLine(mark), read() {}
  }

  /// Waits for the child's own end.
  func finish() -> (lines: [Substring], end: ChildProcess.End) {
    while read() {}
    let end = child.wait()
    let text = String(decoding: received, as: UTF8.self)
    let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
    return (whole.split(separator: "\n"), end)
  }

  private func hasLine(_ mark: String) -> Bool {
    received.starts(with: mark.utf8) || received.firstRange(of: Array(("\n" + mark).utf8)) != nil
  }

  /// Waits for output until the deadline and reads it. Returns `false` at the end of the output.
  private func read(until deadline: ContinuousClock.Instant? = nil) -> Bool {
    do {
      guard let bytes = try child.output.read(until: deadline) else { return false }
      received += bytes
      return true
    } catch {
      Issue.record(error)
      return false
    }
  }
}

extension ChildProcess.End {
  /// The end of a child that was killed.
  static let killed = ChildProcess.End.signal(SIGKILL)
}
