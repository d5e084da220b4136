import Fief
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file of lines that is replaced by a new file when it is full.
///
/// Each line is one write to the end of the file, which the system performs as a whole. A full file is
/// renamed under a lock on a file beside it, so only one of several processes renames it. The others notice
/// that the path leads to a different file, and open that one. If the file cannot be renamed now, entries are
/// still appended to it, and the next entry tries again.
final class LogFile: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    /// Whether the last line is incomplete.
    var isTorn = false
    var writing = Outcome()
    var exchanging = Outcome()
  }

  /// Whether the last attempt failed, so that a failure is reported only once until it is resolved.
  private struct Outcome {
    private var hasFailed = false

    /// - Returns: the failure to report, or `nil` if nothing failed.
    mutating func note(_ code: Int32) -> Int32? {
      defer { hasFailed = code != 0 }
      return code != 0 && !hasFailed ? code : nil
    }
  }

  private let path: String
  private let maximumBytes: Int
  private let names: LogFileNames
  private let state = Lock(State())

  init(_ path: String, maximumBytes: Int, kept: Int) {
    self.path = path
    self.maximumBytes = maximumBytes
    names = LogFileNames(path: path, kept: kept)
  }

  deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  func write(_ entry: LogEntry) {
    let line = Array("\(entry.date.formatted(.iso8601)) \(entry.text)\n".utf8)
    let (full, lost) = state.withLock { state in
      var full: Int32?
      let code = write(line, &state, &full)
      return (full, state.writing.note(code))
    }
    if let full { report("is full but cannot be rotated", full) }
    if let lost { report("cannot be written to; entries are lost", lost) }
  }

  private func report(_ what: String, _ code: Int32) {
    StandardError.write("fief: the log file \(path) \(what): \(String(cString: strerror(code)))\n")
  }

  /// - Parameter full: receives the reason why the full file was not renamed, if that should be reported.
  /// - Returns: the error number of the system, or 0 on success.
  private func write(_ line: [UInt8], _ state: inout State, _ full: inout Int32?) -> Int32 {
    var size = 0
    if !isCurrent(state.descriptor, &size) {
      let code = reopen(&state, &size)
      if code != 0 { return code }
    }
    if size > 0, size + line.count > maximumBytes {
      full = state.exchanging.note(names.exchange { isCurrent(state.descriptor, &size) })
      if !isCurrent(state.descriptor, &size) {
        let code = reopen(&state, &size)
        if code != 0 { return code }
      }
    }
    let bytes = state.isTorn ? [10] + line : line
    let written = bytes.withUnsafeBytes { bytes in Self.again { writeOnce(state.descriptor, bytes) } }
    state.isTorn = written > 0 && written < bytes.count || state.isTorn && written <= 0
    if written == bytes.count { return 0 }
    return written < 0 ? errno : ENOSPC
  }

  /// Whether the open file is still the file at the path.
  private func isCurrent(_ descriptor: Int32, _ size: inout Int) -> Bool {
    if descriptor < 0 { return false }
    var (open, there) = (stat(), stat())
    guard fstat(descriptor, &open) == 0, lstat(path, &there) == 0 else { return false }
    size = Int(there.st_size)
    return open.st_ino == there.st_ino && open.st_dev == there.st_dev
  }

  private func reopen(_ state: inout State, _ size: inout Int) -> Int32 {
    if state.descriptor >= 0 { close(state.descriptor) }
    state.isTorn = false
    // A link at the path could redirect the log.
    state.descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if state.descriptor < 0 { return errno }
    var found = stat()
    var code = fstat(state.descriptor, &found) == 0 ? 0 : errno
    if code == 0, found.st_mode & S_IFMT != S_IFREG { code = EINVAL }
    if code != 0 {
      // The next entry must not be written to this file, although it is the file at the path.
      close(state.descriptor)
      state.descriptor = -1
      return code
    }
    size = Int(found.st_size)
    return 0
  }

  /// Repeats a system call that a signal has interrupted.
  private static func again(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
