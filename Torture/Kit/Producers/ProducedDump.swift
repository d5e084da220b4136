import Fief
import FiefTree
import Foundation

/// What the producers and the imports have left in a store, as lines that a process prints and another one reads.
package struct ProducedDump: Sendable {
  /// That of a store that was never made is the first.
  package var version: UInt64 = 1
  /// The number of the last write of each producer.
  package var numbers = [Int](repeating: 0, count: ProducerWrite.producers)
  /// The lines of each producer, sorted.
  package var lines = [[String]](repeating: [], count: ProducerWrite.producers)
  /// The number of items of each import.
  package var imported: [Int: Int] = [:]
  package var problems: [String] = []

  package init() {}

  static func line(item slot: Int, code: String, place: Int, text: String, notes: [String], bytes: Int)
    -> String
  {
    let hash = notes.joined(separator: "\n").utf8.reduce(UInt64(17)) { $0 &* 31 &+ UInt64($1) }
    return "item \(slot) \(code), \(place), \(text), \(notes.count) notes \(hash), \(bytes) bytes"
  }

  static func line(owner group: Int, items: [Int]) -> String { "owner \(group) \(items)" }
  static func line(path: String, value: JSON) -> String { "\(path) \(value.text())" }

  // MARK: Reading a store

  /// Opens a store, which completes what a crash has left, checks and reads it.
  /// - Parameter isReadOnly: whether it is a backup, which is not changed.
  package init(reading name: String, in directory: String, isReadOnly: Bool = false) {
    do {
      // A store whose making was interrupted has no version, and opening it makes it.
      version = max(1, (try? Store.schemaVersion(at: "\(directory)/\(name)")) ?? 1)
      var repository = TortureRepository(name, in: directory, version: version)
      repository.storeOptions.isReadOnly = isReadOnly
      defer { repository.close() }
      if let error = repository.store().openingError { throw error }
      let report = try repository.check()
      problems += report.problems.map { "\($0)" }
      if !isReadOnly { problems += report.unfinishedWrites.map { "an unfinished write: \($0)" } }
      try repository.read { snapshot in
        try readTree(of: repository, in: snapshot)
        if version == 1 {
          try read(snapshot, TortureItem.self, TortureOwner.self) {
            $0.objects(TortureItem.self).where { $0.rank >= 0 }
          }
        } else {
          try read(snapshot, NewerItem.self, NewerOwner.self) {
            $0.objects(NewerItem.self).where { $0.rank >= 0 }
          }
        }
      }
    } catch { problems.append("\(error)") }
    for producer in lines.indices { lines[producer].sort() }
    problems = problems.map { $0.replacing("\n", with: " ") }
  }

  private mutating func read<Item, Owner: TortureOwnerClass>(
    _ snapshot: Snapshot,
    _ items: Item.Type,
    _ owners: Owner.Type,
    ranked: (Snapshot) -> Results<Item>
  ) throws where Owner.Item == Item {
    var count = 0
    try snapshot.objects(items).forEachObject { item in
      count += 1
      if !item.isComplete { problems.append("item \(item.id) lacks what its version has") }
      guard item.id < ProducedImport.firstID else { return note(imported: item) }
      let (producer, slot) = item.id.quotientAndRemainder(dividingBy: 100_000)
      lines[producer].append(
        Self.line(
          item: slot,
          code: item.code,
          place: item.place,
          text: item.text,
          notes: Array(item.notes),
          bytes: item.bytes.count
        )
      )
    }
    // By an index: another tree of the same snapshot.
    let indexed = try ranked(snapshot).fetchCount()
    if indexed != count { problems.append("\(count) items, \(indexed) by the index") }
    try snapshot.objects(owners).forEachObject { owner in
      let (producer, place) = owner.id.quotientAndRemainder(dividingBy: 100_000)
      if place == ProducerWrite.numberSlot {
        numbers[producer] = Int(owner.name) ?? -1
      } else {
        lines[producer].append(Self.line(owner: place, items: owner.items.map { $0.id % 100_000 }))
      }
    }
  }

  /// Reads the messages of the producers, and how many each has sent.
  private mutating func readTree(of repository: TortureRepository, in snapshot: Snapshot) throws {
    let tree = JSONTree(in: repository)
    let reader = try tree.in(snapshot)
    func add(_ path: String, _ children: JSON) {
      for (name, value) in children.object ?? [:] {
        guard let producer = Int(name.dropFirst()), lines.indices.contains(producer) else {
          problems.append("\(path) has \(name)")
          continue
        }
        lines[producer].append(Self.line(path: "\(path)/\(name)", value: value))
      }
    }
    add("sent", try reader.snapshot(at: tree.reference("sent")).json)
    let inbox = try reader.snapshot(at: tree.reference("inbox")).json
    for (name, groups) in inbox.object ?? [:] { add("inbox/\(name)", groups) }
  }

  private mutating func note(imported item: some TortureItemClass) {
    let (number, line) = ProducedImport.place(of: item.id)
    // They come in the order of their keys, and an import goes on where it was interrupted.
    if line != imported[number, default: 0] {
      problems.append("import \(number) lacks a line before \(line)")
    }
    imported[number, default: 0] += 1
    if item.code != "import \(number) \(line)" || item.place != line % 11 {
      problems.append("line \(line) of import \(number) is \(item)")
    }
  }

  // MARK: Lines

  package func print(_ say: (String) -> Void) {
    say("version \(version)")
    for producer in lines.indices {
      say("number \(producer) \(numbers[producer])")
      for line in lines[producer] { say("of \(producer) \(line)") }
    }
    for (number, count) in imported { say("imported \(number) \(count)") }
    for problem in problems { say("problem \(problem)") }
  }

  /// Adds what a line of ``print(_:)`` says; false for another line.
  package mutating func add(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count > 1 else { return false }
    switch (words[0], Int(words[1]), words.count) {
    case ("version", let number?, 2): version = UInt64(number)
    case ("number", let producer?, 3): numbers[producer] = Int(words[2]) ?? -1
    case ("of", let producer?, 3): lines[producer].append(words[2])
    case ("imported", let number?, 3): imported[number] = Int(words[2])
    case ("problem", _, _): problems.append(String(line.dropFirst(8)))
    default: return false
    }
    return true
  }
}
