import Fief
import Foundation

/// The rows with a commit for each operation.
extension FiefRows {
  func commitFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "B": try singleInserts(times)
    case "B2": try producers(times)
    case "Bu": try singleUpdates(times)
    case "S": try savesOfFetched(times)
    case "Q": try queued(times, producers: 1)
    case "Q8": try queued(times, producers: 8)
    default: nil
    }
  }

  private func singleInserts(_ times: Int) throws -> Figure {
    let more = workload.more(workload.commits(2000))
    return try repeated(times, operations: more.count) {
      let objects = more.map { StoredPerson($0) }
      return try onCopy(.plain, count: workload.count + more.count, full: full(with: more)) { repository in
        try Clock.time { for object in objects { try repository.insert(object) } }
      }
    }
  }

  private func producers(_ times: Int) throws -> Figure {
    let more = workload.more(8 * workload.commits(500))
    return try repeated(times, operations: more.count) {
      try onCopy(.plain, count: workload.count + more.count, full: full(with: more)) { repository in
        try produce(more, producers: 8, in: repository)
      }
    }
  }

  private func singleUpdates(_ times: Int) throws -> Figure {
    let keys = workload.picked.prefix(workload.commits(1000))
    let changed = workload.full(after: keys) { $0.balance = Double($0.id) * 0.25 }
    return try repeated(times, operations: keys.count) {
      try onCopy(.plain, count: workload.count, full: changed) { repository in
        try Clock.time {
          for key in keys {
            try repository.write { transaction in
              let person = try transaction.object(ofType: StoredPerson.self, forPrimaryKey: key)
              person?.balance = Double(key) * 0.25
            }
          }
        }
      }
    }
  }

  /// Objects that were read are assigned to and saved, one after another.
  private func savesOfFetched(_ times: Int) throws -> Figure {
    let keys = workload.picked.prefix(workload.commits(1000))
    let changed = workload.full(after: keys) { $0.balance = Double($0.id) * 0.25 }
    return try repeated(times, operations: keys.count) {
      try onCopy(.plain, count: workload.count, full: changed) { repository in
        let persons = keys.compactMap { repository.object(ofType: StoredPerson.self, forPrimaryKey: $0) }
        var outcome: Result<Bool, any Error> = .success(true)
        return try Clock.time {
          for person in persons {
            person.balance = Double(person.id) * 0.25
            outcome = Result {
              try repository.saveAndWait(entity: person, update: .modified)
              return true
            }
            _ = try outcome.get()
          }
        }
      }
    }
  }

  /// Measures a write where no commit waits for a disk.
  private func queued(_ times: Int, producers: Int) throws -> Figure {
    let more = workload.more(min(10_000, workload.count / 8 * 8))
    let full = more.reduce(0) { $0 &+ Digest.full($1) }
    return try repeated(times, operations: more.count) {
      let objects = more.map { StoredPerson($0) }
      let repository = BenchmarkRepository(StoreKind.plain.types, inMemory: UUID().uuidString)
      try repository.open()
      defer { repository.close() }
      let seconds =
        producers == 1
        ? try Clock.time { for object in objects { try repository.insert(object) } }
        : try produce(more, producers: producers, in: repository)
      try repository.verify(StoredPerson.self, count: more.count, full: full)
      return seconds
    }
  }

  /// Saves persons from several tasks, each of which waits for its commit before it goes on.
  private func produce(_ persons: [Person], producers: Int, in repository: BenchmarkRepository) throws
    -> Double
  {
    try waiting {
      let start = Clock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for producer in 0..<producers {
          group.addTask {
            for index in stride(from: producer, to: persons.count, by: producers) {
              try await repository.save(entity: StoredPerson(persons[index]), update: false)
            }
          }
        }
        try await group.waitForAll()
      }
      return Clock.now - start
    }
  }

  private func full(with more: [Person]) -> UInt64 { more.reduce(workload.full) { $0 &+ Digest.full($1) } }
}
