import LMDB
import Synchronization

/// A gate that lets one thread at a time open a particular store. Other threads wait; different stores do not
/// wait for each other.
package final class OpeningGate: KeyedInstance, Sendable {
  /// The identity of the store.
  let key: String
  private let lock = OwnedLock(())
  /// The thread inside the gate; 0 if no thread is inside. Only the thread itself can find its own number
  /// here.
  private let thread = Atomic<UInt>(0)

  /// The threads inside gates. A thread inside several gates is listed several times. For an array of numbers
  /// the runtime need not instantiate a type.
  private static let holders = OwnedLock<[Int]>([])

  init(key: String) { self.key = key }

  /// Whether the calling thread opens, deletes or exchanges the files of a store.
  static var isHeldByCaller: Bool {
    let current = Int(bitPattern: currentThread())
    return holders.withLock { holders in holders.contains { $0 == current } }
  }

  /// - Throws: ``FiefError`` of code `nestedWrite` if the store is opened from its own migration block.
  package func enter<Value>(store: String?, _ body: () throws -> Value) throws -> Value {
    let current = currentThread()
    guard thread.load(ordering: .relaxed) != current else {
      throw FiefError(
        .nestedWrite,
        "A store cannot be opened from its own migration block: use the migration passed to the block.",
        store: store
      )
    }
    return try lock.withLock { _ in
      thread.store(current, ordering: .relaxed)
      Self.holders.withLock { $0.append(Int(bitPattern: current)) }
      defer {
        Self.holders.withLock { holders in
          if let index = holders.lastIndex(where: { $0 == Int(bitPattern: current) }) {
            holders.remove(at: index)
          }
        }
        thread.store(0, ordering: .relaxed)
      }
      return try body()
    }
  }
}
