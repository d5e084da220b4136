import Fief
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of lines that begins again when it is full.
///
/// Each line is one write to the end of the file, which the system does whole. A file is exchanged under a lock on a file
/// beside it, so that of several processes one does it; the others find another file at the path, and open that.
final class LogFile: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    /// Whether the last write failed, which is said once.
    var hasFailed = false
    /// Whether the last line is not whole.
    var isTorn = false
  }

  private let path: String
  private let maximumBytes: Int
  private let kept: Int
  private let state = Lock(State())

  init(_ path: String, maximumBytes: Int, kept: Int) {
    self.path = path
    self.maximumBytes = maximumBytes
    self.kept = kept
  }

  deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  func write(_ entry: LogEntry) {
    let line = Array("\(entry.date.formatted(.iso8601)) \(entry.text)\n".utf8)
    let failure = state.withLock { state -> Int32? in
      let code = write(line, &state)
      defer { state.hasFailed = code != 0 }
      return code != 0 && !state.hasFailed ? code : nil
    }
    if let failure {
      StandardError.write(
        "fief: the log file \(path) cannot be written to, and entries are lost: \(String(cString: strerror(failure)))\n"
      )
    }
  }

  /// - Returns: the system's number of the failure; 0 for none.
  private func write(_ line: [UInt8], _ state: inout State) -> Int32 {
    var size = 0
    if !isCurrent(state.descriptor, &size) {
      let code = reopen(&state, &size)
      if code != 0 { return code }
    }
    if size > 0, size + line.count > maximumBytes {
      let code = exchange(&state)
      if code != 0 { return code }
    }
    let bytes = state.isTorn ? [10] + line : line
    let written = bytes.withUnsafeBytes { bytes in Self.again { writeOnce(state.descriptor, bytes) } }
    state.isTorn = written > 0 && written < bytes.count || state.isTorn && written <= 0
    if written == bytes.count { return 0 }
    return written < 0 ? errno : ENOSPC
  }

  /// Whether the open file is the one at the path.
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
    // A link at the path could lead the log elsewhere.
    state.descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if state.descriptor < 0 { return errno }
    var found = stat()
    var code = fstat(state.descriptor, &found) == 0 ? 0 : errno
    if code == 0, found.st_mode & S_IFMT != S_IFREG { code = EINVAL }
    if code != 0 {
      // Left open it would be the file at the path for the next entry, and be written to.
      close(state.descriptor)
      state.descriptor = -1
      return code
    }
    size = Int(found.st_size)
    return 0
  }

  /// Gives the full files their next names, unless another process has done it.
  private func exchange(_ state: inout State) -> Int32 {
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if lock < 0 { return errno }
    defer { close(lock) }
    if Self.again({ Int(flock(lock, LOCK_EX)) }) != 0 { return errno }
    var size = 0
    if isCurrent(state.descriptor, &size) {
      if kept == 0 {
        unlink(path)
      } else {
        for number in stride(from: kept - 1, through: 1, by: -1) {
          rename("\(path).\(number)", "\(path).\(number + 1)")
        }
        if rename(path, path + ".1") != 0 { return errno }
      }
    }
    return reopen(&state, &size)
  }

  /// Calls the system again where a signal has interrupted it.
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
