import Fief
import FiefStress
import FiefTesting
import TestEffort
import Testing

/// Increments of several processes on one store: none is lost.
struct ProcessIncrementTests {
  @Test func incrementsOfTwoProcessesAreAllThere() async throws {
    let directory = try TemporaryDirectory()
    let repository = StressJointRepository("first", directory: directory.path)
    try repository.saveAndWait(entity: StressAccount(value: ["id": 1]))
    let each = TestEffort.count(30, more: 100)
    let child = try CrashChild("increment", directory.path, "\(4 * each)")
    child.wait(for: "ready")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<each {
            var batch = repository.batch()
            try batch.update(StressAccount.self, forPrimaryKey: 1, .increment(\.balance))
            try await batch.commit()
          }
        }
      }
      try await group.waitForAll()
    }
    let (lines, end) = child.finish()
    #expect(end == .exited(0) && lines.contains("failures 0"))
    #expect(try repository.fetchObject(ofType: StressAccount.self, forPrimaryKey: 1)?.balance == 8 * each)
    let merged = try repository.objects(StressAccount.self).where { $0.id >= 1_000 }
    #expect(merged.map(\.balance) == [each, each, each, each])
    #expect(try repository.check().problems == [])
    repository.close()
  }
}
