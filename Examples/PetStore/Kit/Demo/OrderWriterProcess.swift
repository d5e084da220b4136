import ChildProcesses
import Foundation

/// Runs ``OrderWriter`` in a process of its own and kills it in the middle.
///
/// An actor on a thread of its own, since it waits for a pipe.
actor OrderWriterProcess {
  private let executor = QueueExecutor(label: "petstore.order-writer")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Starts the program `executable`, waits for `count` acknowledged orders, and sends SIGKILL.
  ///
  /// - Returns: the total of each order that the child reported as stored, until it died.
  /// - Throws: ``InputError`` when it cannot be started or ends before it is killed.
  func run(
    _ executable: String,
    directory: String,
    first: Int,
    killedAfter count: Int
  ) throws -> [Int: Decimal] {
    func failure(_ status: Int32, _ message: String) -> InputError {
      .commandFailed(name: "petstore orders", status: status, message: message)
    }
    let child: ChildProcess
    do {
      let arguments = ["orders", "--directory", directory, "--first", String(first)]
      child = try ChildProcess(executable, arguments, output: .pipe)
    } catch {
      throw failure(-1, "it cannot be started")
    }
    var text: [UInt8] = []
    var lines = 0
    while let piece = try child.output.read() {
      text += piece
      lines += piece.count { $0 == UInt8(ascii: "\n") }
      if lines >= count { child.kill() }
    }
    let end = child.wait()
    guard lines >= count else { throw failure(end.status ?? -1, "it ended unexpectedly") }
    return Self.orders(in: text)
  }

  /// The orders of whole lines; what the kill cut off was not reported.
  static func orders(in text: [UInt8]) -> [Int: Decimal] {
    guard let end = text.lastIndex(of: UInt8(ascii: "\n")) else { return [:] }
    var orders: [Int: Decimal] = [:]
    for line in String(decoding: text[..<end], as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let number = Int(parts[0]), let total = Decimal(string: String(parts[1]))
      else { continue }
      orders[number] = total
    }
    return orders
  }
}
