import LMDB

/// Lets one thread sleep until another thread passes it a value.
// SAFETY: `value`, `isNudged` and `isAbandoned` are read and written only by a thread that holds `monitor`.
final class WriteQueueParker<Value: Sendable>: @unchecked Sendable {
  /// The thread that created the parker and will sleep in it.
  let owner = currentThread()
  private var value: Value?
  private var isNudged = false
  private var isAbandoned = false
  private let monitor = Monitor()

  /// Passes a value to the thread. Only the first value is kept.
  ///
  /// - Returns: false if the thread no longer waits.
  @discardableResult
  func put(_ newValue: Value) -> Bool {
    monitor.lock()
    let isAwaited = !isAbandoned
    if isAwaited, value == nil { value = newValue }
    monitor.unlock()
    monitor.broadcast()
    return isAwaited
  }

  /// Ends the current or the next sleep without a value.
  func nudge() {
    monitor.lock()
    let wasNudged = isNudged
    isNudged = true
    monitor.unlock()
    if !wasNudged { monitor.broadcast() }
  }

  /// Sleeps until there is a value.
  func wait() -> Value {
    monitor.lock()
    defer { monitor.unlock() }
    while true {
      if let value { return value }
      monitor.wait()
    }
  }

  /// Sleeps until there is a value or the deadline, in nanoseconds of the monotonic clock, has passed. Takes
  /// the value, so that another value can be passed.
  func take(until deadline: Int) -> Value? {
    monitor.lock()
    defer { monitor.unlock() }
    while value == nil { if !wait(until: deadline) { break } }
    defer { value = nil }
    return value
  }

  /// Sleeps as ``take(until:)`` does. If there is no value at the deadline, no value is accepted any more.
  func takeOrAbandon(until deadline: Int) -> Value? {
    monitor.lock()
    defer { monitor.unlock() }
    while value == nil { if !wait(until: deadline) { break } }
    isAbandoned = value == nil
    defer { value = nil }
    return value
  }

  /// Sleeps until there is a value or a nudge, or the deadline, in nanoseconds of the monotonic clock, has
  /// passed.
  func waitForNudge(until deadline: Int) -> Value? {
    monitor.lock()
    defer { monitor.unlock() }
    while value == nil, !isNudged { if !wait(until: deadline) { break } }
    isNudged = false
    return value
  }

  /// Waits once. Returns false if the deadline has passed.
  private func wait(until deadline: Int) -> Bool {
    let rest = deadline - writeQueueNow()
    guard rest > 0 else { return false }
    monitor.wait(nanoseconds: rest)
    return true
  }
}
