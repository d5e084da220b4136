import Fief
import Foundation

/// The rows of `make bench-scale`, each in a process of its own: what `Peers/scale.hpp` is for raw LMDB.
struct FiefScale {
  let directory: String
  let count: Int
  /// The number of objects in a save of the import.
  let batch: Int

  func run(_ row: String) throws {
    if MigrationScale.rows.contains(row) {
      let seconds = try MigrationScale(directory: directory, count: count, batch: batch).run(row)
      return try answer(seconds, count, 0, Memory.peak)
    }
    if ListScale.rows.contains(row) {
      let found = try ListScale(directory: directory, count: count, batch: batch).run(row)
      return try answer(found.seconds, found.operations, found.sum, Memory.peak)
    }
    if SearchScale.rows.contains(row) {
      let found = try SearchScale(directory: directory, count: count).run()
      return try answer(found.seconds, found.operations, found.sum, Memory.peak)
    }
    if IndexScale.rows.contains(row) {
      let found = try IndexScale(directory: directory, count: count, batch: batch).run(row)
      return try answer(
        found.seconds,
        found.operations,
        UInt64(found.sum),
        Memory.peak,
        anonymous: max(found.anonymous, Memory.anonymous)
      )
    }
    let kind: StoreKind = row == "F2" || row == "load_idx" ? .indexed : .plain
    let repository = BenchmarkRepository(kind.types, in: directory)
    switch row {
    case "load": try load(repository, StoredPerson.self)
    case "load_idx": try load(repository, IndexedPerson.self)
    case "C":
      var random = SplitMix(state: 12345)
      let keys = (0..<100_000).map { _ in 1 + random.next(below: count) }
      let (seconds, sum) = try reading { try repository.pointReads(keys) }
      try answer(seconds, keys.count, sum, Memory.peak)
    case "D":
      let (seconds, tally) = try reading { try repository.tally(StoredPerson.self) }
      try answer(seconds, tally.count, tally.sum, Memory.peak)
    case "D_place", "D_place_sort":
      _ = try repository.tally(StoredPerson.self)
      var tally = Tally()
      // One run, because the store keeps the keys that it has found for the next one.
      let seconds = try Clock.time { tally = try byPlaces(repository, isSorted: row == "D_place_sort") }
      try answer(seconds, tally.count, tally.sum, Memory.peak)
    case "F2":
      let (seconds, tally) = try reading { try ofAge37(repository) }
      try answer(seconds, tally.count, tally.sum, Memory.peak)
    case "H": try update(repository)
    case "B":
      let persons = (1...1000).map { StoredPerson(Person(id: count + $0)) }
      try repository.open()
      let seconds = try Clock.time { for person in persons { try repository.insert(person) } }
      let peak = Memory.peak
      try answer(seconds, 1000, try repository.tally(StoredPerson.self).sum, peak)
    default: throw BenchmarkError("no row \(row)")
    }
    repository.close()
  }

  /// The median of three runs, after one that does not count, and their answer.
  private func reading<Answer>(_ run: () throws -> Answer) throws -> (seconds: Double, answer: Answer) {
    var answer = try run()
    let seconds = try (0..<3).map { _ in try Clock.time { answer = try run() } }
    return (seconds.sorted()[1], answer)
  }

  private func load<Element: PersonObject>(_ repository: BenchmarkRepository, _ type: Element.Type) throws {
    try Files.makeEmpty(directory)
    try repository.open()
    var seconds = 0.0
    var anonymous = 0
    for first in stride(from: 1, through: count, by: batch) {
      let objects = (first...min(first + batch - 1, count)).map { Element(Person(id: $0)) }
      seconds += try Clock.time { try repository.insert(objects) }
      anonymous = max(anonymous, Memory.anonymous)
    }
    let found = try repository.count(type)
    try answer(seconds, count, UInt64(found), Memory.peak, anonymous: anonymous)
  }

  private func update(_ repository: BenchmarkRepository) throws {
    // Keys in no order, without repetition: the count has no factor but 2 and 5.
    let keys = (0..<min(10_000, count / 2)).map { 1 + $0 * 3_090_169_943 % count }
    _ = try repository.pointReads(keys)
    let seconds = try Clock.time {
      try repository.write { transaction in
        for key in keys {
          let person = try transaction.object(ofType: StoredPerson.self, forPrimaryKey: key)
          person?.balance = Double(key) * 0.25
        }
      }
    }
    let peak = Memory.peak
    try answer(seconds, keys.count, try repository.tally(StoredPerson.self).sum, peak)
  }

  private func byPlaces(_ repository: BenchmarkRepository, isSorted: Bool) throws -> Tally {
    try repository.read { snapshot in
      var tally = Tally()
      let all = snapshot.objects(StoredPerson.self)
      let persons = isSorted ? all.sorted(byKeyPath: "balance") : all
      for place in 0..<count {
        guard let person = try persons.fetchObject(at: place) else { continue }
        tally.add(Digest.cheap(person))
      }
      return tally
    }
  }

  private func ofAge37(_ repository: BenchmarkRepository) throws -> Tally {
    try repository.read { snapshot in
      var tally = Tally()
      try snapshot.objects(IndexedPerson.self).where { $0.age == 37 }
        .forEachObject { tally.add(Digest.cheap($0)) }
      return tally
    }
  }

  /// Prints seconds, operations, digest, the peak and the anonymous memory in KiB, the bytes of the files.
  private func answer(
    _ seconds: Double,
    _ operations: Int,
    _ sum: UInt64,
    _ peak: Int,
    anonymous: Int? = nil
  ) throws {
    let bytes = Int(try Files.bytes(of: directory))
    Files.print("\(seconds) \(operations) \(sum) \(peak) \(anonymous ?? Memory.anonymous) \(bytes)")
  }
}
