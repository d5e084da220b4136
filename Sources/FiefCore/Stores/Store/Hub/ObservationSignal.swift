import LMDB

/// A condition with a number that each signal increments. A thread waits until the number differs from the
/// number that it read before.
// SAFETY: `number` and `waiters` are only read and written by threads that hold `monitor`.
final class ObservationSignal: @unchecked Sendable {
  private let monitor = Monitor()
  private var number: UInt64 = 0
  private var waiters = 0

  var current: UInt64 {
    monitor.lock()
    defer { monitor.unlock() }
    return number
  }

  func raise() {
    monitor.lock()
    number &+= 1
    if waiters > 0 { monitor.broadcast() }
    monitor.unlock()
  }

  /// Waits until the signal was raised after `seen` was read, or until a number of nanoseconds has passed on
  /// the monotonic clock.
  ///
  /// It may return early, because the system may wake a thread without a reason.
  func wait(after seen: UInt64, nanoseconds: Int) {
    guard nanoseconds > 0 else { return }
    monitor.lock()
    waiters += 1
    if number == seen { monitor.wait(nanoseconds: nanoseconds) }
    waiters -= 1
    monitor.unlock()
  }

  /// Waits until the signal was raised after `seen` was read.
  func wait(after seen: UInt64) {
    monitor.lock()
    waiters += 1
    while number == seen { monitor.wait() }
    waiters -= 1
    monitor.unlock()
  }
}
