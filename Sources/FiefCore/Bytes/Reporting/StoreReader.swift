import Foundation
import LMDB

/// An active reader of a store in any process: a `read { }`, or another operation that reads one state.
public struct StoreReader: Sendable, Hashable {
  /// The identifier of the process.
  public let process: Int32
  /// The name of the process's program; `nil` if the system does not provide it.
  public let program: String?
  /// The thread, as a hexadecimal number. In this process it is the reading thread; in another process it is
  /// a thread that has read.
  public let thread: String
  /// The origin of a reader of this process: the file and the line of a `read { }`, or a short description.
  public let origin: String?
  /// The number of commits since the reader began.
  public let commitsBehind: Int
  /// The time for which the reader has been active, at least; `nil` if it is unknown, as for a reader of
  /// another process that reads the newest state.
  public let age: Duration?

  /// A Boolean value that indicates whether the reader belongs to this process.
  public var isOwn: Bool { process == ProcessInfo.processInfo.processIdentifier }

  package init(_ reader: ActiveReader) {
    process = reader.process
    program = Self.program(of: reader.process)
    thread = reader.thread
    origin = reader.origin
    commitsBehind = reader.commitsBehind
    age = reader.age.map { .nanoseconds($0) }
  }

  private static func program(of process: Int32) -> String? {
    if process == ProcessInfo.processInfo.processIdentifier { return ProcessInfo.processInfo.processName }
    #if os(Linux)
      // The words of the command line, each followed by a zero byte.
      guard let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"),
        let path = words.split(separator: 0).first
      else { return nil }
      return String(decoding: path, as: UTF8.self).split(separator: "/").last.map { String($0) }
    #else
      return nil
    #endif
  }
}

extension StoreReader: CustomStringConvertible {
  /// The process, thread, origin, commits and age as readable text.
  public var description: String {
    var text = isOwn ? "this process" : "process \(process)"
    if !isOwn, let program { text += " (\(program))" }
    text += ", thread \(thread)"
    if let origin { text += ", \(origin)" }
    text += commitsBehind == 0 ? ": the newest state" : ": \(commitsBehind) commits behind"
    if let age { text += ", for at least \(age.components.seconds) s" }
    return text
  }
}
