import Foundation

/// Writing to standard error as a library may do it: without blocking and without terminating the process.
package enum StandardError {
  /// The number of bytes that a pipe accepts at once whenever it accepts any.
  private static let longest = 4096

  /// Writes a text, shortened to 4,096 bytes.
  ///
  /// - Returns: false if standard error is closed or currently accepts no data.
  @discardableResult
  package static func write(_ text: String) -> Bool {
    var bytes = Array(text.utf8.prefix(longest))
    if text.utf8.count > longest { bytes[longest - 1] = UInt8(ascii: "\n") }
    // If the reader of a pipe has stopped, writing would block the caller forever, possibly inside a write.
    var state = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&state, 1, 0) == 1, state.revents & Int16(POLLOUT) != 0,
      state.revents & Int16(POLLERR | POLLNVAL) == 0
    else { return false }
    return withoutPipeSignal {
      // SAFETY: the buffer has as many bytes as are written, for the duration of the call.
      bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) } > 0
    }
  }

  /// Calls a closure in which writing to a pipe without a reader fails instead of terminating the process.
  private static func withoutPipeSignal(_ body: () -> Bool) -> Bool {
    // The signal is blocked for this thread. A pending signal is consumed before the mask is restored.
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    guard pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 else { return false }
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let isWritten = body()
    if !isWritten, !wasPending {
      sigpending(&pending)
      var signal: Int32 = 0
      if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &signal) }
    }
    return isWritten
  }
}
