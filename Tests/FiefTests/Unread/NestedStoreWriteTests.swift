import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// A write inside of another store's write would wait for ever where two threads do it in opposite orders.
@Suite("Writes inside of another store's write")
struct NestedStoreWriteTests {
  private func code(_ body: () throws -> Void) -> FiefError.Code? {
    do { try body() } catch { return (error as? FiefError)?.code }
    return nil
  }

  @Test("a write inside of another store's write is refused", arguments: TypedPlace.inClear)
  func refused(place: TypedPlace) throws {
    try UnreadStore.with(place) { first in
      try UnreadStore.with(place) { second in
        let item = UnreadItem(value: ["id": 1])
        try first.write { transaction in
          try transaction.add(item)
          #expect(code { try second.write { _ in } } == .nestedWrite)
          #expect(code { try second.store().write { _ in } } == .nestedWrite)
          #expect(code { _ = try second.abandonUnfinishedWrites() } == .nestedWrite)
          let manager = StoreManager(repositories: [first, second])
          #expect(code { try manager.write(to: [second]) { _ in } } == .nestedWrite)
          // Reading is no writing.
          #expect(try second.read { try $0.count(UnreadItem.self) } == 0)
        }
        let refusal = OwnedLock<FiefError.Code?>(nil)
        let body = WriteWork.body { _ in
          let result = code { try second.write { _ in } }
          refusal.withLock { $0 = result }
        }
        _ = try first.store().core().submit(body)
        #expect(refusal.withLock { $0 } == .nestedWrite)
        #expect(try first.read { try $0.count(UnreadItem.self) } == 1)
        // One after the other, and both together, are what there is for it.
        try second.write { try $0.add(UnreadItem(value: ["id": 1])) }
        try StoreManager(repositories: [first, second]).write(to: first, and: second) { first, second in
          try first.add(UnreadItem(value: ["id": 2]))
          try second.add(UnreadItem(value: ["id": 2]))
        }
        #expect(try second.read { try $0.count(UnreadItem.self) } == 2)
      }
    }
  }

  @Test("opposite orders on two threads end", .timeLimit(.minutes(20)))
  func oppositeOrders() throws {
    try UnreadStore.with(.memory) { first in
      try UnreadStore.with(.memory) { second in
        _ = (try first.stored(), try second.stored())
        let inside = OwnedLock(0)
        let results = OwnedLock<[FiefError.Code?]>([])
        let done = DispatchGroup()
        for (outer, inner) in [(first, second), (second, first)] {
          done.enter()
          Thread.detachNewThread {
            let result = code {
              try outer.write { _ in
                inside.withLock { $0 += 1 }
                // Each has its own store when it asks for the other's.
                while inside.withLock({ $0 }) < 2 { usleep(500) }
                try inner.write { _ in }
              }
            }
            results.withLock { $0.append(result) }
            done.leave()
          }
        }
        done.wait()
        #expect(results.withLock { $0 } == [.nestedWrite, .nestedWrite])
      }
    }
  }
}
