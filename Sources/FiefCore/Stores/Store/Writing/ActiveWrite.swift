import Synchronization

/// The active write scope of a store, for its own thread.
///
/// Every read outside of a scope asks for it, so that finding none takes no lock.
// SAFETY: `scope` is used only by the thread that `thread` names. Writes of a store run one after another,
// and what lets the next one begin orders its uses after those of the last.
package final class ActiveWrite: @unchecked Sendable {
  private let thread = Atomic<UInt>(0)
  private var scope: WriteTransaction?

  /// The active write of the calling thread.
  @inline(__always)
  var current: WriteTransaction? {
    // A thread's number is stored by the thread itself only, so that it sees its own number or another thread's.
    thread.load(ordering: .relaxed) == AccessScope.currentThread ? usableScope : nil
  }

  @inline(never)
  private var usableScope: WriteTransaction? {
    scope.flatMap { $0.isUsable ? $0 : nil }
  }

  /// Makes `scope` the active one of this thread, until ``end()``.
  func begin(_ scope: WriteTransaction) {
    self.scope = scope
    thread.store(AccessScope.currentThread, ordering: .relaxed)
  }

  /// Ends what ``begin(_:)`` has begun on this thread.
  func end() {
    thread.store(0, ordering: .relaxed)
    scope = nil
  }

  /// Calls a closure while `scope` is the active one.
  package func with<Value>(_ scope: WriteTransaction, _ body: () throws -> Value) rethrows -> Value {
    self.scope = scope
    thread.store(AccessScope.currentThread, ordering: .relaxed)
    defer {
      thread.store(0, ordering: .relaxed)
      self.scope = nil
    }
    return try body()
  }
}
