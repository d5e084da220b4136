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
    _ executable: URL,
    directory: String,
    first: Int,
    killedAfter count: Int
  ) throws -> [Int: Decimal] {
    let pipe = Pipe()
    let process = Process()
    process.executableURL = executable
    process.arguments = ["orders", "--directory", directory, "--first", String(first)]
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw InputError.commandFailed(name: "petstore orders", status: -1, message: "it cannot be started")
    }
    defer { process.waitUntilExit() }

    var text: [UInt8] = []
    var lines = 0
    var isKilled = false
    while let piece = available(in: pipe.fileHandleForReading.fileDescriptor) {
      text += piece
      lines += piece.count { $0 == UInt8(ascii: "\n") }
      if lines >= count, !isKilled {
        isKilled = true
        kill(process.processIdentifier, SIGKILL)
      }
    }
    guard isKilled else {
      process.waitUntilExit()
      throw InputError.commandFailed(
        name: "petstore orders",
        status: process.terminationStatus,
        message: "it ended by itself"
      )
    }
    return Self.orders(in: text)
  }

  /// The bytes that are in the pipe, after waiting for the first one; nil when it is closed.
  private func available(in descriptor: Int32) -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // SAFETY: the pointer is used by the call only, which writes no more than the buffer's own count.
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    return count > 0 ? buffer[..<count] : nil
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
