import FiefTesting
import Foundation
import Testing

@testable import Fief

/// Many tasks that change one object: no change is lost in silence.
struct OptimisticLoadTests {
  @Test(arguments: StoreKind.allCases) func eachMissingChangeIsAConflict(_ kind: StoreKind) async throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: optimisticTypes), kind)
    let store = fixture.store()
    try fixture.saveAndWait(entity: OptimisticCounter(1))
    let conflicts = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            do {
              try await store.runTransaction { transaction in
                let found = try transaction.get(OptimisticCounter.self, forPrimaryKey: 1)
                let counter = try #require(found)
                try await Task.sleep(for: .milliseconds(1))
                counter.value += 1
                try transaction.set(counter)
              }
            } catch let error as FiefError where error.code == .conflict {
              conflicts.withLock { $0 += 1 }
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    let value = try store.fetchObject(ofType: OptimisticCounter.self, forPrimaryKey: 1)?.value ?? 0
    let missing = conflicts.withLock { $0 }
    #expect(value + missing == 800)
    #expect(value >= 100)
    print("value \(value), conflicts \(missing)")
  }
}
