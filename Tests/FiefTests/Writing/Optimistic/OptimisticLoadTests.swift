import Fief
import FiefStress
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Many tasks that change one object: no change is lost in silence.
struct OptimisticLoadTests {
  @Test(arguments: StoreKind.allCases) func eachMissingChangeIsAConflict(_ kind: StoreKind) async throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: optimisticTypes), kind)
    let store = fixture.store()
    try fixture.saveAndWait(entity: OptimisticCounter(1))
    let conflicts = Lock(0)
    let each = TestEffort.count(15, more: 100)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<each {
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
    #expect(value + missing == 8 * each)
    #expect(value >= each)
  }

  @Test(arguments: StoreKind.allCases) func savesIfUnchangedAddUp(_ kind: StoreKind) async throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: optimisticTypes), kind)
    let store = fixture.store()
    try fixture.saveAndWait(entity: OptimisticCounter(1))
    let successes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var done = 0
          for _ in 0..<100 {
            let found = try store.fetchObject(ofType: OptimisticCounter.self, forPrimaryKey: 1)
            let counter = try #require(found)
            counter.value += 1
            do {
              try await fixture.save(entity: counter, ifUnchanged: true)
              done += 1
            } catch let error as FiefError where error.code == .conflict {}
          }
          return done
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(try store.fetchObject(ofType: OptimisticCounter.self, forPrimaryKey: 1)?.value == successes)
    #expect(successes >= 100)
  }

  /// Neither of two processes loses a change of the other in silence.
  @Test(arguments: [false, true]) func twoProcessesAddUp(_ ifUnchanged: Bool) async throws {
    let directory = try TemporaryDirectory()
    let repository = StressTallyRepository(directory: directory.path)
    _ = try repository.open()
    let times = TestEffort.count(20, more: 50)
    let child = try CrashChild("tally", directory.path, "4", "\(times)", ifUnchanged ? "1" : "0")
    let own = try await repository.add(tasks: 4, times: times, ifUnchanged: ifUnchanged)
    let (lines, end) = child.finish()
    #expect(end == .exited(0))
    let done = lines.first { $0.hasPrefix("done ") }.flatMap { Int($0.dropFirst(5)) }
    let others = try #require(done, "the child said: \(lines)")
    let found = try repository.store().fetchObject(ofType: StressTally.self, forPrimaryKey: 1)
    #expect(found?.value == own.done + others)
    #expect(own.done >= 1 && others >= 1)
    #expect(try repository.check().problems.isEmpty)
    repository.close()
  }
}
