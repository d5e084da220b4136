import Fief
import Foundation

/// The rows that change many objects in one commit.
extension FiefRows {
  func changeFigure(of row: String, _ times: Int) throws -> Figure? {
    let picked = workload.picked
    switch row {
    case "H":
      let changed = workload.full(after: picked) { $0.balance = Double($0.id) * 0.25 }
      return try changing(.plain, times, count: workload.count, full: changed) { repository in
        try repository.write { transaction in
          for key in picked {
            let person = try transaction.object(ofType: StoredPerson.self, forPrimaryKey: key)
            person?.balance = Double(key) * 0.25
          }
        }
      }
    case "H_idx":
      let changed = workload.full(after: picked) { $0.age = $0.id * 7 % 100 }
      return try changing(.indexed, times, count: workload.count, full: changed) { repository in
        try repository.write { transaction in
          for key in picked {
            let person = try transaction.object(ofType: IndexedPerson.self, forPrimaryKey: key)
            person?.age = key * 7 % 100
          }
        }
      }
    case "H_held":
      let changed = workload.full(after: picked) { $0.balance = Double($0.id) * 0.25 }
      return try changing(.plain, times, count: workload.count, full: changed, prepare: held(in:)) {
        repository,
        held in
        try repository.write { _ in
          for person in held { person.balance = Double(person.id) * 0.25 }
        }
      }
    case "H_bulk": return try updatingAll(times)
    case "Batch": return try batches(times)
    case "Inc8": return try incrementing(times, tasks: 8)
    case "Tx": return try transactions(times)
    case "Tx8": return try contending(times, tasks: 8)
    case "Get": return try gettingAge(times)
    case "Get_other": return try gettingAge(times, whileWriting: true)
    case "Set": return try assigning(times)
    case "Set_other": return try assigning(times, whileWriting: true)
    case "I": return try deleting(StoredPerson.self, .plain, times)
    case "I_idx": return try deleting(IndexedPerson.self, .indexed, times)
    default: return nil
    }
  }

  private func deleting<Element: PersonObject>(
    _ type: Element.Type,
    _ kind: StoreKind,
    _ times: Int
  ) throws -> Figure {
    let left = workload.count - workload.picked.count
    let full = workload.full(after: workload.picked)
    return try changing(kind, times, count: left, full: full) { repository in
      try delete(type, workload.picked, in: repository)
    }
  }

  /// Deletes the objects of keys, as the other peers do.
  private func delete<Element: PersonObject>(
    _ type: Element.Type,
    _ keys: [Int],
    in repository: BenchmarkRepository
  ) throws {
    try repository.deleteAndWait(ofType: type, forPrimaryKeys: keys)
  }

  private func changing(
    _ kind: StoreKind,
    _ times: Int,
    count: Int,
    full: UInt64,
    _ change: (BenchmarkRepository) throws -> Void
  ) throws -> Figure {
    try changing(kind, times, count: count, full: full, prepare: { _ in }) { repository, _ in
      try change(repository)
    }
  }

  /// - Parameter prepare: makes what the change needs; it is not measured.
  private func changing<Prepared>(
    _ kind: StoreKind,
    _ times: Int,
    count: Int,
    full: UInt64,
    prepare: (BenchmarkRepository) throws -> Prepared,
    _ change: (BenchmarkRepository, Prepared) throws -> Void
  ) throws -> Figure {
    try repeated(times, operations: workload.picked.count) {
      try onCopy(kind, count: count, full: full) { repository in
        let prepared = try prepare(repository)
        let seconds = try Clock.time { try change(repository, prepared) }
        if kind == .indexed { try checkIndexes(repository) }
        return seconds
      }
    }
  }

  /// The objects that are changed, as copies.
  private func held(in repository: BenchmarkRepository) throws -> [StoredPerson] {
    try repository.read { snapshot in
      try workload.picked.compactMap { try snapshot.object(ofType: StoredPerson.self, forPrimaryKey: $0) }
    }
  }

  /// Assigns to an object outside of any write of this thread.
  private func assigning(_ times: Int, whileWriting: Bool = false) throws -> Figure {
    let (count, person) = (1_000_000, try heldPerson())
    let figure = try outsideOfWrites(times, operations: count, whileWriting) {
      for number in 0..<count { person.age = number }
    }
    try check("Set", person.age, count - 1)
    return figure
  }

  /// Reads a property of an object outside of any write of this thread.
  private func gettingAge(_ times: Int, whileWriting: Bool = false) throws -> Figure {
    let (count, person) = (10_000_000, try heldPerson())
    let age = person.age
    var sum = 0
    let figure = try outsideOfWrites(times, operations: count, whileWriting) {
      sum = 0
      for _ in 0..<count { sum &+= person.age }
    }
    try check("Get", sum, count * age)
    return figure
  }

  private func heldPerson() throws -> StoredPerson {
    let key = workload.picked[0]
    let found = try store(.plain).read { try $0.object(ofType: StoredPerson.self, forPrimaryKey: key) }
    guard let found else { throw BenchmarkError("no object has the key \(key)") }
    return found
  }

  /// - Parameter whileWriting: whether another thread is in a write all the time.
  private func outsideOfWrites(
    _ times: Int,
    operations: Int,
    _ whileWriting: Bool,
    _ body: () throws -> Void
  ) throws -> Figure {
    let repository = try store(.plain)
    let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    if whileWriting {
      Thread.detachNewThread {
        try? repository.write { _ in
          begun.signal()
          done.wait()
        }
        begun.signal()
      }
      begun.wait()
    }
    let figure = try reading(times, operations: operations, body)
    if whileWriting {
      done.signal()
      begun.wait()
    }
    return figure
  }

  /// Compares the indexes with the records.
  private func checkIndexes(_ repository: BenchmarkRepository) throws {
    let problems = try repository.check().problems
    guard problems.isEmpty else { throw BenchmarkError("the checker found \(problems)") }
  }
}
