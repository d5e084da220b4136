import Fief
import Foundation

/// The rows with field operations.
extension FiefRows {
  /// All objects that a condition finds are changed in one commit.
  func updatingAll(_ times: Int) throws -> Figure {
    let young = workload.persons.lazy.filter { $0.age < 10 }.map(\.id)
    let full = workload.full(after: young) { $0.balance += 1 }
    let count = young.count
    return try repeated(times, operations: count) {
      try onCopy(.plain, count: workload.count, full: full) { repository in
        let persons = try repository.objects(StoredPerson.self).where { $0.age < 10 }
        return try Clock.time { try check("H_bulk", try persons.update(.increment(\.balance)), count) }
      }
    }
  }

  /// Batches of increments of a hundred objects, one after another.
  func batches(_ times: Int) throws -> Figure {
    let keys = Array(workload.picked.prefix(100))
    let commits = workload.commits(200)
    let full = workload.full(after: keys) { $0.balance += Double(commits) }
    return try repeated(times, operations: commits * keys.count) {
      try onCopy(.plain, count: workload.count, full: full) { repository in
        try Clock.time {
          for _ in 0..<commits {
            var batch = repository.batch()
            for key in keys { try batch.update(StoredPerson.self, forPrimaryKey: key, .increment(\.balance)) }
            try batch.commitAndWait()
          }
        }
      }
    }
  }

  /// Tasks that increment one property, each of which waits for its commit before it goes on.
  func incrementing(_ times: Int, tasks: Int) throws -> Figure {
    let key = workload.picked[0]
    let each = workload.commits(250)
    let full = workload.full(after: [key]) { $0.balance += Double(tasks * each) }
    return try repeated(times, operations: tasks * each) {
      try onCopy(.plain, count: workload.count, full: full) { repository in
        try waiting {
          let start = Clock.now
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
              group.addTask {
                for _ in 0..<each {
                  var batch = repository.batch()
                  try batch.update(StoredPerson.self, forPrimaryKey: key, .increment(\.balance))
                  try await batch.commit()
                }
              }
            }
            try await group.waitForAll()
          }
          return Clock.now - start
        }
      }
    }
  }
}
