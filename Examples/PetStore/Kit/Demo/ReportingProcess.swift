import ChildProcesses
import Foundation

/// A child that runs a command of this program and reports its progress in lines on its standard output.
///
/// An actor on a thread of its own, since it waits for a pipe.
actor ReportingProcess {
  private let executor = QueueExecutor(label: "petstore.reports")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let command: String
  private let child: ChildProcess
  private var text: [UInt8] = []

  /// Starts the program `executable`.
  ///
  /// - Throws: ``InputError`` if it cannot be started.
  init(_ executable: String, _ arguments: [String]) throws(InputError) {
    command = "petstore \(arguments.first ?? "")"
    do { child = try ChildProcess(executable, arguments, output: .pipe) } catch {
      throw Self.failure(command, -1, "it cannot be started")
    }
  }

  private static func failure(_ command: String, _ status: Int32, _ message: String) -> InputError {
    .commandFailed(name: command, status: status, message: message)
  }

  /// The whole lines that were received; a line that a kill has cut off was not reported.
  private var lines: [String] {
    guard let end = text.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    return String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Waits until the child has reported some lines.
  ///
  /// - Throws: ``InputError`` if it ends before.
  func wait(for count: Int) throws {
    var found = text.count { $0 == UInt8(ascii: "\n") }
    while found < count {
      guard let piece = try child.output.read() else {
        throw Self.failure(command, child.wait().status ?? -1, "it ended unexpectedly")
      }
      text += piece
      found += piece.count { $0 == UInt8(ascii: "\n") }
    }
  }

  /// Sends SIGKILL after the child has reported some lines.
  ///
  /// - Returns: all lines that it reported until it died.
  /// - Throws: ``InputError`` if it ends before.
  func lines(killedAfter count: Int) throws -> [String] {
    try wait(for: count)
    child.kill()
    return try linesUntilEnd()
  }

  /// Waits until the child has ended.
  ///
  /// - Returns: all lines that it reported.
  func linesUntilEnd() throws -> [String] {
    while let piece = try child.output.read() { text += piece }
    child.wait()
    return lines
  }
}
