import LMDB
import Synchronization

/// The active write scope of a store, for the thread of the write.
///
/// Every read outside a scope checks for it, so the check takes no lock if there is no active write.
// SAFETY: `scope` is used only by the thread whose number is in `thread`. Writes of a store run one after
// another, and the synchronization before the next write orders its uses after the uses of the last write.
package final class ActiveWrite: @unchecked Sendable {
  private let thread = Atomic<UInt>(0)
  private var scope: WriteTransaction?

  /// The active write of the calling thread.
  @inline(__always)
  package var current: WriteTransaction? {
    // Only the thread itself stores its number, so it reads either its own number or the number of another
    // thread.
    thread.load(ordering: .relaxed) == currentThread() ? usableScope : nil
  }

  @inline(never)
  private var usableScope: WriteTransaction? {
    scope.flatMap { $0.isUsable ? $0 : nil }
  }

  /// Makes `scope` the active scope of this thread, until ``end()``.
  func begin(_ scope: WriteTransaction) {
    self.scope = scope
    thread.store(currentThread(), ordering: .relaxed)
  }

  /// Ends the active scope of this thread.
  func end() {
    thread.store(0, ordering: .relaxed)
    scope = nil
  }

  /// Calls a closure while `scope` is the active scope.
  package func with<Value>(_ scope: WriteTransaction, _ body: () throws -> Value) rethrows -> Value {
    self.scope = scope
    thread.store(currentThread(), ordering: .relaxed)
    defer {
      thread.store(0, ordering: .relaxed)
      self.scope = nil
    }
    return try body()
  }
}
