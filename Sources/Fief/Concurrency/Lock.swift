#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A mutual-exclusion lock around a value.
///
/// It is made of the same primitive as ``WriteQueueParker``, which the thread sanitizer understands on
/// every system; `Synchronization.Mutex` it does not on Linux, and reports races that are none.
// SAFETY: `state` is read and written only by a thread that holds `mutex`.
package final class Lock<State>: @unchecked Sendable {
  private var state: State
  // SAFETY: a mutex needs a stable address; it lives from `init` to `deinit`, and whoever uses it holds
  // a reference to self.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
