import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Returns the identity of the calling thread, which is never 0.
@inline(__always)
package func currentThread() -> UInt {
  #if canImport(Glibc)
    return UInt(pthread_self())
  #else
    return UInt(bitPattern: pthread_self())
  #endif
}

/// Counts the forks of this process image, so that an environment detects that it runs in a forked child
/// without a system call for each transaction.
package enum ForkGuard {
  /// The number of forks, which changes in a forked process.
  package static var currentGeneration: UInt32 {
    install()
    return generation.load(ordering: .relaxed)
  }

  static let generation = Atomic<UInt32>(0)

  private static let isInstalled: Bool =
    pthread_atfork(nil, nil, { ForkGuard.generation.wrappingAdd(1, ordering: .sequentiallyConsistent) }) == 0

  /// Makes later forks visible in ``generation``.
  @discardableResult
  static func install() -> Bool { isInstalled }
}

/// A mutual-exclusion lock with a condition, for waits with a deadline.
final class Monitor: @unchecked Sendable {
  // SAFETY: both objects are allocated for the monitor's life and never move. pthread calls on them are
  // thread-safe, and the class has no other state.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    #if os(Linux)
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #else
      pthread_cond_init(condition, nil)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
  func unlock() { pthread_mutex_unlock(mutex) }
  func broadcast() { pthread_cond_broadcast(condition) }
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits for a broadcast for at most a number of nanoseconds. The lock is held before and after.
  func wait(nanoseconds: Int) {
    #if os(Linux)
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      let total = time.tv_nsec + nanoseconds
      time.tv_sec += total / 1_000_000_000
      time.tv_nsec = total % 1_000_000_000
      pthread_cond_timedwait(condition, mutex, &time)
    #else
      var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #endif
  }
}
