import Fief
import Foundation

/// The rows with transactions whose bodies may suspend.
extension FiefRows {
  /// Transactions one after another, each of which reads an object and sets it.
  func transactions(_ times: Int) throws -> Figure {
    let keys = Array(workload.picked.prefix(workload.commits(1_000)))
    let full = workload.full(after: keys) { $0.balance += 1 }
    return try repeated(times, operations: keys.count) {
      try onCopy(.plain, count: workload.count, full: full) { repository in
        try waiting {
          let start = Clock.now
          for key in keys { try await add(1, to: key, in: repository) }
          return Clock.now - start
        }
      }
    }
  }

  /// Tasks whose transactions all change one object, and run again until each has.
  func contending(_ times: Int, tasks: Int) throws -> Figure {
    let key = workload.picked[0]
    let each = workload.commits(25)
    let full = workload.full(after: [key]) { $0.balance += Double(tasks * each) }
    return try repeated(times, operations: tasks * each) {
      try onCopy(.plain, count: workload.count, full: full) { repository in
        try waiting {
          let start = Clock.now
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
              group.addTask { for _ in 0..<each { try await add(1, to: key, in: repository) } }
            }
            try await group.waitForAll()
          }
          return Clock.now - start
        }
      }
    }
  }
}

private func add(_ amount: Double, to key: Int, in repository: BenchmarkRepository) async throws {
  try await repository.runTransaction(maximumAttempts: 10_000) { transaction in
    guard let person = try transaction.get(StoredPerson.self, forPrimaryKey: key) else { return }
    person.balance += amount
    try transaction.set(person)
  }
}
