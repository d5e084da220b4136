import Fief
import Foundation

final class ListedPerson: Object {
  @Persisted(primaryKey: true) var id = 0
}

final class PersonList: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var persons: List<ListedPerson>
}

/// One list of all objects: `load_loop` adds each object and appends it, `delete_list` deletes some of them one by one in one write.
struct ListScale {
  static let rows = ["load_loop", "delete_list"]

  let directory: String
  let count: Int
  /// The number of objects in a write of the import.
  let batch: Int

  func run(_ row: String) throws -> (seconds: Double, operations: Int, sum: UInt64) {
    let repository = BenchmarkRepository([ListedPerson.self, PersonList.self], in: directory)
    defer { repository.close() }
    let (seconds, operations) = try row == "load_loop" ? load(repository) : delete(repository)
    return (seconds, operations, UInt64(try repository.count(ListedPerson.self)))
  }

  private func load(_ repository: BenchmarkRepository) throws -> (Double, Int) {
    try Files.makeEmpty(directory)
    try repository.open()
    try repository.write { try $0.create(PersonList.self, value: ["id": 1]) }
    let seconds = try Clock.time {
      for first in stride(from: 1, through: count, by: batch) {
        try repository.write { write in
          let list = try write.object(ofType: PersonList.self, forPrimaryKey: 1)
          for id in first...min(first + batch - 1, count) {
            let person = ListedPerson()
            person.id = id
            try write.add(person)
            list?.persons.append(person)
          }
        }
      }
    }
    return (seconds, count)
  }

  private func delete(_ repository: BenchmarkRepository) throws -> (Double, Int) {
    // Keys in no order, without repetition: the count has no factor but 2 and 5.
    let keys = (0..<min(10_000, count / 10)).map { 1 + $0 * 3_090_169_943 % count }
    try repository.open()
    let seconds = try Clock.time {
      try repository.write { write in
        for key in keys {
          if let person = try write.object(ofType: ListedPerson.self, forPrimaryKey: key) {
            try write.delete(person)
          }
        }
      }
    }
    return (seconds, keys.count)
  }
}
