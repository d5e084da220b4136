#if canImport(Darwin)
  public import Darwin
#elseif canImport(Musl)
  public import Musl
#else
  public import Glibc
#endif

/// A mutual-exclusion lock around a value.
///
/// It uses `pthread_mutex_t`, which the thread sanitizer understands on every system. On Linux, the sanitizer
/// does not understand `Synchronization.Mutex`, and reports false races.
///
/// The lock belongs to the instance or variable that stores it. Its methods are inlined in the modules that
/// use it.
// SAFETY: only a thread that holds `mutex` reads or writes the value at `state`.
@frozen
@usableFromInline
package struct OwnedLock<State>: ~Copyable, @unchecked Sendable {
  // SAFETY: both live from `init` to `deinit` at their own addresses, and belong to this lock alone, which
  // its users keep alive.
  @usableFromInline let state: UnsafeMutablePointer<State>
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @inlinable
  package init(_ state: State) {
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  @inlinable
  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  @inlinable @inline(__always)
  package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }

  /// Calls `body` unless a thread holds the lock.
  ///
  /// - Returns: `nil` if `body` was not called.
  @discardableResult
  package func withLockIfAvailable<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}
