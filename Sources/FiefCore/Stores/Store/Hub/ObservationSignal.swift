#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A condition with a number that each signal increments. A thread waits until the number differs from the
/// number that it read before.
// SAFETY: `number` is only read and written by threads that hold `mutex`.
final class ObservationSignal: @unchecked Sendable {
  // SAFETY: allocated in `init`, freed in `deinit`, never moved.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var number: UInt64 = 0
  private var waiters = 0

  init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
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

  var current: UInt64 {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return number
  }

  func raise() {
    pthread_mutex_lock(mutex)
    number &+= 1
    if waiters > 0 { pthread_cond_broadcast(condition) }
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the signal was raised after `seen` was read, or until a number of nanoseconds has passed on
  /// the monotonic clock.
  ///
  /// It may return early, because the system may wake a thread without a reason.
  func wait(after seen: UInt64, nanoseconds: Int) {
    guard nanoseconds > 0 else { return }
    pthread_mutex_lock(mutex)
    waiters += 1
    if number == seen { waitOnce(nanoseconds) }
    waiters -= 1
    pthread_mutex_unlock(mutex)
  }

  private func waitOnce(_ nanoseconds: Int) {
    #if canImport(Darwin)
      var limit = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      pthread_cond_timedwait_relative_np(condition, mutex, &limit)
    #else
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      let rest = end.tv_nsec + nanoseconds % 1_000_000_000
      end.tv_sec += nanoseconds / 1_000_000_000 + rest / 1_000_000_000
      end.tv_nsec = rest % 1_000_000_000
      pthread_cond_timedwait(condition, mutex, &end)
    #endif
  }

  /// Waits until the signal was raised after `seen` was read.
  func wait(after seen: UInt64) {
    pthread_mutex_lock(mutex)
    waiters += 1
    while number == seen { pthread_cond_wait(condition, mutex) }
    waiters -= 1
    pthread_mutex_unlock(mutex)
  }
}
