import Fief
import FiefStress

/// A process that increments a property which others increment too.
enum IncrementingChild {
  /// Adds 1 to the balance of account 1 so many times, from four tasks, and prints how many have failed.
  static func run(_ directory: String, count: Int) async {
    let repository = StressJointRepository("first", directory: directory)
    Child.say("ready\n")
    let failures = await withTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var failures = 0
          for _ in 0..<(count / 4) {
            do {
              var batch = repository.batch()
              try batch.update(StressAccount.self, forPrimaryKey: 1, .increment(\.balance))
              try batch.merge(StressAccount.self, forPrimaryKey: 1_000 + task, .increment(\.balance))
              try await batch.commit()
            } catch { failures += 1 }
          }
          return failures
        }
      }
      return await group.reduce(0, +)
    }
    repository.close()
    Child.say("failures \(failures)\n")
  }
}
