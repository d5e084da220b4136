import Foundation
import Synchronization

/// The standard input of a child, as this process writes to it. It is closed with its last reference.
package final class ChildInput: Sendable {
  private let descriptor: Mutex<Descriptor?>
  private let program: String

  init(_ descriptor: Descriptor?, of program: String) {
    self.descriptor = Mutex(descriptor)
    self.program = program
  }

  /// Writes a text, and waits until the child has taken it or a pipe has it.
  ///
  /// - Throws: ``ChildProcessError`` with the code `notWritten`: with the number `EPIPE` if the child has closed its input or has
  ///   ended, and with `EBADF` if the input is no pipe or was closed.
  package func write(_ text: String) throws(ChildProcessError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      guard let count = try put(rest) else { throw ChildProcessError(.notWritten, program, EPIPE) }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes the input: the child reads its end.
  package func close() { descriptor.withLock { $0 = nil } }

  /// The number of the descriptor; -1 if the input is no pipe or was closed.
  var number: Int32 { descriptor.withLock { $0?.number ?? -1 } }

  /// Has ``put(_:)`` write no more than the pipe has space for.
  func makeNonblocking() throws(ChildProcessError) {
    guard fcntl(number, F_SETFL, O_NONBLOCK) == 0 else {
      throw ChildProcessError(.notWritten, program, errno)
    }
  }

  /// Writes bytes.
  ///
  /// - Returns: how many of them were written; `nil` if the child has closed its input or has ended.
  func put(_ bytes: ArraySlice<UInt8>) throws(ChildProcessError) -> Int? {
    let (count, code) = descriptor.withLock { descriptor in
      guard let descriptor else { return (-1, EBADF) }
      return withExtendedLifetime(descriptor) {
        // SAFETY: the call reads no more than the buffer's own count.
        bytes.withUnsafeBytes { buffer in withoutPipeSignal { systemWrite(descriptor.number, buffer) } }
      }
    }
    if count >= 0 { return count }
    switch code {
    case EPIPE: return nil
    case EINTR, EAGAIN: return 0
    default: throw ChildProcessError(.notWritten, program, code)
    }
  }
}

/// Calls a closure in which writing to a pipe without a reader fails and does not end this process.
///
/// - Returns: the closure's result, and `errno` after it.
private func withoutPipeSignal(_ body: () -> Int) -> (result: Int, code: Int32) {
  // The signal is blocked for this thread. A pending one is consumed before the mask is restored.
  var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
  sigemptyset(&pipe)
  sigaddset(&pipe, SIGPIPE)
  sigpending(&pending)
  let wasPending = sigismember(&pending, SIGPIPE) == 1
  pthread_sigmask(SIG_BLOCK, &pipe, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  let result = body()
  let code = errno
  if result < 0, code == EPIPE, !wasPending {
    sigpending(&pending)
    var signal: Int32 = 0
    if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &signal) }
  }
  return (result, code)
}
