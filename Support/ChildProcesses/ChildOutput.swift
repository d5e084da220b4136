import Foundation
import Synchronization

/// The standard output or the standard error of a child, as this process reads it. It is closed with its last reference.
///
/// All functions throw ``ChildProcessError`` with the code `notRead`: with the number `EBADF` if the stream is no pipe or was closed.
package final class ChildOutput: Sendable {
  private struct State {
    var descriptor: Descriptor?
    /// The bytes that were received and not returned yet.
    var pending: [UInt8] = []
  }

  private enum Receipt { case bytes, end, nothingYet }

  private let state: Mutex<State>
  private let program: String

  init(_ descriptor: Descriptor?, of program: String) {
    state = Mutex(State(descriptor: descriptor))
    self.program = program
  }

  /// Waits for output, and returns the bytes received so far.
  ///
  /// - Returns: `nil` at the end of the output; no bytes if none come before the deadline.
  package func read(until deadline: ContinuousClock.Instant? = nil) throws(ChildProcessError) -> [UInt8]? {
    try state.withLock { (state) throws(ChildProcessError) -> [UInt8]? in
      if state.pending.isEmpty, try receive(&state, until: deadline) == .end { return nil }
      defer { state.pending = [] }
      return state.pending
    }
  }

  /// Waits for a text, and returns all that comes before it with it.
  ///
  /// - Returns: `nil` if the output ends before.
  package func read(through text: String) throws(ChildProcessError) -> String? {
    let mark = Array(text.utf8)
    return try state.withLock { (state) throws(ChildProcessError) -> String? in
      var searched = 0
      while true {
        if let range = state.pending[searched...].firstRange(of: mark) {
          defer { state.pending.removeFirst(range.upperBound) }
          return String(decoding: state.pending[..<range.upperBound], as: UTF8.self)
        }
        searched = max(0, state.pending.count - mark.count + 1)
        if try receive(&state) == .end { return nil }
      }
    }
  }

  /// Waits for a line, and returns it without its end.
  ///
  /// - Returns: `nil` if the output ends before the line does.
  package func line() throws(ChildProcessError) -> String? {
    try read(through: "\n").map { String(decoding: $0.utf8.dropLast(), as: UTF8.self) }
  }

  /// Waits for the end of the output, and returns all that comes before it.
  package func rest() throws(ChildProcessError) -> String {
    try state.withLock { (state) throws(ChildProcessError) -> String in
      while try receive(&state) != .end {}
      defer { state.pending = [] }
      return String(decoding: state.pending, as: UTF8.self)
    }
  }

  /// Closes this end: a child that writes more fails.
  package func close() { state.withLock { $0.descriptor = nil } }

  /// The number of the descriptor; -1 if the output is no pipe or was closed.
  var number: Int32 { state.withLock { $0.descriptor?.number ?? -1 } }

  private func receive(
    _ state: inout State,
    until deadline: ContinuousClock.Instant? = nil
  ) throws(ChildProcessError) -> Receipt {
    guard let descriptor = state.descriptor else { throw ChildProcessError(.notRead, program, EBADF) }
    while true {
      var ready = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      if deadline != nil {
        let count = poll(&ready, 1, milliseconds(until: deadline))
        if count == 0 { return .nothingYet }
        if count < 0, errno == EINTR { continue }
      }
      var (result, code) = (0, Int32(0))
      // SAFETY: `systemRead` writes at most the buffer's own count, and returns the number of bytes that it wrote.
      state.pending += [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        result = systemRead(descriptor.number, UnsafeMutableRawBufferPointer(buffer))
        code = errno
        count = max(0, result)
      }
      if result >= 0 { return result == 0 ? .end : .bytes }
      if code != EINTR { throw ChildProcessError(.notRead, program, code) }
    }
  }
}
