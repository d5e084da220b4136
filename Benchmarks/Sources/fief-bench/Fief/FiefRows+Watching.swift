import Fief
import Foundation

/// The rows about observers: what the writer pays for them, changes of sorted objects, and how soon they are notified.
extension FiefRows {
  func watchFigure(of row: String, _ times: Int) throws -> Figure? {
    let picked = workload.picked
    let parts = row.split(separator: "_")
    switch parts[0] {
    case "W", "Wq":
      guard parts.count == 2, let observers = Int(parts[1]) else { return nil }
      return try watched(times, observers: observers, inMemory: parts[0] == "Wq")
    case "Tell": return try told()
    case "Diff" where row == "Diff_same":
      return try compared(row, by: \.name, times, changed { $0.balance = -1 }) { repository in
        try repository.changeBalance(of: picked, to: -1)
      }
    case "Diff" where row == "Diff_move":
      return try compared(row, by: \.age, times, changed { $0.age = $0.id * 7 % 100 }) { repository in
        try repository.write { transaction in
          for key in picked {
            let person = try transaction.object(ofType: StoredPerson.self, forPrimaryKey: key)
            person?.age = key * 7 % 100
          }
        }
      }
    case "Diff" where row == "Diff_del":
      let gone = Set(picked)
      return try compared(row, by: \.age, times, workload.persons.filter { !gone.contains($0.id) }) {
        repository in
        try repository.deleteAndWait(ofType: StoredPerson.self, forPrimaryKeys: picked)
      }
    case "Diff" where row == "Diff_add":
      let more = workload.more(picked.count)
      return try compared(row, by: \.age, times, workload.persons + more) { repository in
        try repository.insert(more.map { StoredPerson($0) })
      }
    default: return nil
    }
  }

  /// The persons after the picked ones were changed.
  private func changed(_ change: (inout Person) -> Void) -> [Person] {
    var persons = workload.persons
    for key in workload.picked { change(&persons[key - 1]) }
    return persons
  }

  // MARK: Writers

  /// Commits one after another, each with two objects of 10,000.
  private func watched(_ times: Int, observers: Int, inMemory: Bool) throws -> Figure {
    let persons = Array(workload.persons.prefix(10_000))
    let commits = inMemory ? 10_000 : workload.commits(1000)
    let keys = [1, persons.count / 2]
    let full = persons.reduce(0 as UInt64) { sum, person in
      var person = person
      if keys.contains(person.id) { person.balance = -Double(commits) }
      return sum &+ Digest.full(person)
    }
    return try repeated(times, operations: commits) {
      if !inMemory { try Files.makeEmpty(work) }
      defer { if !inMemory { Files.remove(work) } }
      let repository =
        inMemory
        ? BenchmarkRepository(StoreKind.plain.types, inMemory: UUID().uuidString)
        : BenchmarkRepository(StoreKind.plain.types, in: work)
      try repository.open()
      defer { repository.close() }
      try repository.insert(persons.map { StoredPerson($0) })
      if !inMemory { try Files.synchronize(work) }
      let watches = (0..<observers).map { index in
        let key = index < 2 ? keys[index] : index
        return PersonWatch(repository.store().objects(StoredPerson.self).where { $0.id == key })
      }
      for watch in watches { try watch.wait { $0.calls == 1 } }
      let seconds = try Clock.time {
        for number in 1...commits { try repository.changeBalance(of: keys, to: -Double(number)) }
      }
      // All are notified of the last state; observers of other objects are not notified at all.
      for watch in watches.prefix(2) { try watch.wait { $0.balance == -Double(commits) } }
      for watch in watches.dropFirst(2) { try check("W", watch.calls, 1) }
      try repository.verify(StoredPerson.self, count: persons.count, full: full)
      return seconds
    }
  }

  // MARK: Observers

  /// Measures from the end of a commit to the handler with the changes of the sorted persons.
  private func compared<Value: Comparable>(
    _ row: String,
    by property: KeyPath<Person, Value>,
    _ times: Int,
    _ after: [Person],
    _ change: (BenchmarkRepository) throws -> Void
  ) throws -> Figure {
    let name = property == \Person.name ? "name" : "age"
    func ordered(_ persons: [Person]) -> [Int] {
      persons.sorted { ($0[keyPath: property], $0.id) < ($1[keyPath: property], $1.id) }.map(\.id)
    }
    let (old, new) = (ordered(workload.persons), ordered(after))
    let full = after.reduce(0) { $0 &+ Digest.full($1) }
    return try repeated(times, operations: workload.picked.count) {
      try onCopy(.plain, count: after.count, full: full) { repository in
        let watch = PersonWatch(repository.store().objects(StoredPerson.self).sorted(byKeyPath: name))
        try watch.wait { $0.calls == 1 }
        try change(repository)
        let committed = Clock.now
        try watch.wait { $0.calls == 2 }
        try check(row, watch.changes?.applied(to: old, new), new)
        return watch.time - committed
      }
    }
  }

  /// The median of the times from the end of a small commit to the handler.
  private func told() throws -> Figure {
    let repository = BenchmarkRepository(StoreKind.plain.types, inMemory: UUID().uuidString)
    try repository.open()
    defer { repository.close() }
    try repository.insert(workload.persons.prefix(10_000).map { StoredPerson($0) })
    let watch = PersonWatch(repository.store().objects(StoredPerson.self).where { $0.id == 7 })
    try watch.wait { $0.calls == 1 }
    var seconds: [Double] = []
    for number in 1...1000 {
      try repository.changeBalance(of: [7], to: -Double(number))
      let committed = Clock.now
      try watch.wait { $0.balance == -Double(number) }
      seconds.append(max(watch.time - committed, 0))
    }
    return Figure(value: seconds.sorted()[seconds.count / 2], operations: 1)
  }
}

extension BenchmarkRepository {
  fileprivate func changeBalance(of keys: [Int], to balance: Double) throws {
    try write { transaction in
      for key in keys {
        try transaction.object(ofType: StoredPerson.self, forPrimaryKey: key)?.balance = balance
      }
    }
  }
}
