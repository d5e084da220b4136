import Synchronization

/// Admits one writer of this process at a time, and records its thread.
///
/// LMDB's own writer lock is a robust mutex: a second begin on the same thread hangs forever, so a nested
/// call must be detected before it reaches LMDB.
final class WriterLock: Sendable {
  private let monitor = Monitor()
  private let owner = Atomic<UInt>(0)

  /// Whether the calling thread is the writer.
  var isHeldByCaller: Bool { owner.load(ordering: .relaxed) == currentThread() }

  func acquire() throws(LMDBError) {
    guard !isHeldByCaller else { throw LMDBError(.nestedWrite) }
    monitor.lock()
    owner.store(currentThread(), ordering: .relaxed)
  }

  func tryAcquire() -> Bool {
    guard !isHeldByCaller, monitor.tryLock() else { return false }
    owner.store(currentThread(), ordering: .relaxed)
    return true
  }

  func release() {
    owner.store(0, ordering: .relaxed)
    monitor.unlock()
  }
}
