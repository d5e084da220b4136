#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A mutual-exclusion lock with a condition, for waits with a deadline.
///
/// The monitor belongs to the instance that stores it, which the users of the monitor keep alive.
// SAFETY: both objects are allocated for the monitor's life and never move. pthread calls on them are
// thread-safe, and the structure has no other state.
package struct Monitor: ~Copyable, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init() {
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

  package func lock() { pthread_mutex_lock(mutex) }
  func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
  package func unlock() { pthread_mutex_unlock(mutex) }
  package func broadcast() { pthread_cond_broadcast(condition) }
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits for a broadcast for at most a number of nanoseconds. The lock is held before and after.
  package func wait(nanoseconds: Int) {
    #if canImport(Darwin)
      var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      let rest = time.tv_nsec + nanoseconds % 1_000_000_000
      time.tv_sec += nanoseconds / 1_000_000_000 + rest / 1_000_000_000
      time.tv_nsec = rest % 1_000_000_000
      pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
