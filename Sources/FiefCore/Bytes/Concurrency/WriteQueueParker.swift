#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Lets one thread sleep until another thread passes it a value.
// SAFETY: `value`, `isNudged` and `isAbandoned` are read and written only by a thread that holds `mutex`.
final class WriteQueueParker<Value: Sendable>: @unchecked Sendable {
  /// The thread that created the parker and will sleep in it.
  let owner = WriteQueueThreadID.current
  private var value: Value?
  private var isNudged = false
  private var isAbandoned = false
  // SAFETY: the mutex and the condition need a stable address. They live from `init` to `deinit`, and their
  // users hold a reference to self.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // SAFETY: as for `mutex`.
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Passes a value to the thread. Only the first value is kept.
  ///
  /// - Returns: false if the thread no longer waits.
  @discardableResult
  func put(_ newValue: Value) -> Bool {
    pthread_mutex_lock(mutex)
    let isAwaited = !isAbandoned
    if isAwaited, value == nil { value = newValue }
    pthread_mutex_unlock(mutex)
    pthread_cond_signal(condition)
    return isAwaited
  }

  /// Ends the current or the next sleep without a value.
  func nudge() {
    pthread_mutex_lock(mutex)
    let wasNudged = isNudged
    isNudged = true
    pthread_mutex_unlock(mutex)
    if !wasNudged { pthread_cond_signal(condition) }
  }

  /// Sleeps until there is a value.
  func wait() -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let value { return value }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Sleeps until there is a value or the deadline, in nanoseconds of the monotonic clock, has passed. Takes
  /// the value, so that another value can be passed.
  func take(until deadline: Int) -> Value? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while value == nil { if !wait(until: deadline) { break } }
    defer { value = nil }
    return value
  }

  /// Sleeps as ``take(until:)`` does. If there is no value at the deadline, no value is accepted any more.
  func takeOrAbandon(until deadline: Int) -> Value? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while value == nil { if !wait(until: deadline) { break } }
    isAbandoned = value == nil
    defer { value = nil }
    return value
  }

  /// Sleeps until there is a value or a nudge, or the deadline, in nanoseconds of the monotonic clock, has
  /// passed.
  func waitForNudge(until deadline: Int) -> Value? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while value == nil, !isNudged { if !wait(until: deadline) { break } }
    isNudged = false
    return value
  }

  /// Waits once. Returns false if the deadline has passed.
  private func wait(until deadline: Int) -> Bool {
    #if canImport(Darwin)
      let rest = deadline - writeQueueNow()
      guard rest > 0 else { return false }
      var time = timespec(tv_sec: rest / 1_000_000_000, tv_nsec: rest % 1_000_000_000)
      return pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
    #else
      var time = timespec(tv_sec: deadline / 1_000_000_000, tv_nsec: deadline % 1_000_000_000)
      return pthread_cond_timedwait(condition, mutex, &time) == 0
    #endif
  }
}
