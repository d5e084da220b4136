import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A child that writes to stores and is killed; its lines are read as they come, so that it never waits for
/// space in the pipe.
final class ChildProcess {
  /// The end of a child process.
  enum End: Equatable {
    case killed
    case exited(Int32)
  }

  private let process = Process()
  private let pipe = Pipe()
  private var received = Data()

  init(_ mode: String, _ arguments: String...) throws {
    process.executableURL = Self.executable
    process.arguments = [mode] + arguments
    process.standardOutput = pipe
    try process.run()
  }

  /// The child is built beside the test bundle, which is this executable or is loaded by it.
  static var executable: URL {
    let name = "fief-crash-child"
    for directory in [Bundle.main.bundleURL, Bundle(for: ChildProcess.self).bundleURL] {
      for candidate in [directory, directory.deletingLastPathComponent()] {
        let url = candidate.appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: url.path) { return url }
      }
    }
    return Bundle.main.bundleURL.appendingPathComponent(name)
  }

  /// The number of the process.
  var number: Int32 { process.processIdentifier }

  /// Waits for the first line that begins with `mark`, lets the child go on for some time, and kills it.
  ///
  /// - Returns: every whole line that it wrote, and whether it was the signal that ended it.
  func kill(microseconds: Int, after mark: String) throws -> (lines: [Substring], end: End) {
    wait(for: mark)
    let deadline = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < deadline, read(until: deadline) {}
    Self.signal(process.processIdentifier, SIGKILL)
    return finish()
  }

  /// Waits for the first line that begins with `mark`, or for the child's end.
  func wait(for mark: String) {
    while !hasLine(mark), read(until: nil) {}
  }

  /// Waits for the child's own end.
  func finish() -> (lines: [Substring], end: End) {
    while read(until: nil) {}
    process.waitUntilExit()
    let end: End = process.terminationReason == .uncaughtSignal ? .killed : .exited(process.terminationStatus)
    let text = String(decoding: received, as: UTF8.self)
    let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
    return (whole.split(separator: "\n"), end)
  }

  private func hasLine(_ mark: String) -> Bool {
    received.range(of: Data(("\n" + mark).utf8)) != nil || received.starts(with: Data(mark.utf8))
  }

  /// Reads what is there, waiting until the deadline at most; false at the end of the output.
  private func read(until deadline: ContinuousClock.Instant?) -> Bool {
    let file = pipe.fileHandleForReading.fileDescriptor
    var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    var timeout: Int32 = -1
    if let deadline {
      let left = (deadline - ContinuousClock.now).components
      timeout = max(0, Int32(left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000))
    }
    if poll(&waiting, 1, timeout) <= 0 { return true }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Self.systemRead(file, &buffer)
    if count <= 0 { return false }
    received.append(contentsOf: buffer[..<count])
    return true
  }

  private static func systemRead(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
    #if canImport(Glibc)
      Glibc.read(file, &buffer, buffer.count)
    #else
      Darwin.read(file, &buffer, buffer.count)
    #endif
  }

  private static func signal(_ id: Int32, _ number: Int32) {
    #if canImport(Glibc)
      _ = Glibc.kill(id, number)
    #else
      _ = Darwin.kill(id, number)
    #endif
  }
}
