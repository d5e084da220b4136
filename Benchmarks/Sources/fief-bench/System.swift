import Foundation

/// The monotonic clock, in nanoseconds.
enum Clock {
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  static func time(_ body: () throws -> Void) rethrows -> Int {
    let start = now
    try body()
    return now - start
  }
}

enum Files {
  /// Prints a line at once: whoever reads waits for it.
  static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Puts a directory with its files on the disk, so that no row pays for what was done before it.
  static func synchronize(_ directory: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory) + [""] {
      let descriptor = open(directory + "/" + name, O_RDONLY)
      guard descriptor >= 0 else { continue }
      fsync(descriptor)
      close(descriptor)
    }
  }
}

/// A peer in a process of its own that answers lines.
final class PeerProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffered: [UInt8] = []

  init(_ executable: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard try line() == "READY" else { throw BenchmarkError("\(executable) did not start") }
  }

  /// Asks for a row; nil where the peer does not have it.
  func ask(_ row: String, times: Int) throws -> (seconds: Double, operations: Double)? {
    input.fileHandleForWriting.write(Data("\(row) \(times)\n".utf8))
    let answer = try line()
    if answer == "NONE" { return nil }
    let fields = answer.split(separator: " ")
    guard fields.count == 2, let seconds = Double(fields[0]), let operations = Double(fields[1]) else {
      throw BenchmarkError("row \(row): the peer said '\(answer)'")
    }
    return (seconds, operations)
  }

  func quit() {
    input.fileHandleForWriting.write(Data("quit\n".utf8))
    process.waitUntilExit()
  }

  private func line() throws -> String {
    while true {
      if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffered[..<end], as: UTF8.self)
        buffered.removeFirst(end + 1)
        return line
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchmarkError("a peer has ended; what it printed says why") }
      buffered.append(contentsOf: more)
    }
  }

  /// What a program prints until it ends.
  static func output(_ executable: String, _ arguments: [String], environment: [String: String]) throws
    -> String
  {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError("\(executable) \(arguments.joined(separator: " ")) has failed")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
