import Synchronization

/// The threads on which the closure of a write to several stores runs.
///
/// Such a thread holds those stores. If it waited for another one it might wait for a thread that holds that and waits for
/// one of these.
enum JointThreads {
  private static let count = Atomic<Int>(0)
  private static let threads = OwnedLock(Set<UInt>())

  /// Whether the calling thread is one of them; each write of any store asks.
  @inline(__always)
  static var isCurrent: Bool { count.load(ordering: .relaxed) != 0 && hasCurrent }

  @inline(never)
  private static var hasCurrent: Bool { threads.withLock { $0.contains(AccessScope.currentThread) } }

  /// Calls a closure as one of them.
  static func run<Value>(_ body: () throws -> Value) rethrows -> Value {
    // The thread itself sees what it has stored; what others see is of no interest to them.
    count.add(1, ordering: .relaxed)
    threads.withLock { _ = $0.insert(AccessScope.currentThread) }
    defer {
      threads.withLock { _ = $0.remove(AccessScope.currentThread) }
      count.subtract(1, ordering: .relaxed)
    }
    return try body()
  }
}

extension StoreCore {
  /// - Throws: ``FiefError`` of code `nestedWrite` in the closure of a write to several stores that this is none of.
  func checkJointWrite() throws {
    guard JointThreads.isCurrent, activeWrite == nil else { return }
    throw FiefError(
      .nestedWrite,
      "The store is not one of those that the write to several stores was begun with.",
      store: name
    )
  }
}
