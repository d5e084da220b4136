import Fief
import Foundation

/// The content of the stores after a number of writes, each of which follows from its number and may be made again.
///
/// A write adds an object, changes an old one, an element of a large list, a large set and a large map, and the count of writes, and
/// deletes an object. Each fourth is one to both stores.
struct MarkedWrites: Sendable {
  static let items = 300
  private static let large = 1_200
  private static let firstAdded = 1_000_000
  private static let count = -1
  /// The number of added objects that stay.
  private static let kept = 20

  private static func isJoint(_ number: Int) -> Bool { number % 4 == 0 }

  static func fill(_ vault: MarkedRepository, _ beside: MarkedRepository) throws {
    for part in 0..<3 {
      try vault.write { transaction in
        for id in stride(from: part, to: items, by: 3) {
          try transaction.add(MarkedObject(id, 0, size: id == 0 ? large : 3), update: .all)
        }
        if part == 0 { try transaction.add(MarkedObject(count, 0), update: .all) }
      }
    }
    // Free pages that have had values.
    try vault.write { try $0.add((items..<items + 40).map { MarkedObject($0, 0) }, update: .all) }
    try vault.write { try $0.delete(ofType: MarkedObject.self, forPrimaryKeys: Array(items..<items + 40)) }
    try beside.write { try $0.add(MarkedObject(count, 0), update: .all) }
  }

  /// Makes the write of a number.
  static func perform(_ number: Int, _ vault: MarkedRepository, _ beside: MarkedRepository?) throws {
    guard isJoint(number), let beside else { return try vault.write { try change($0, number) } }
    try StoreManager(repositories: [vault, beside]).write(to: [vault, beside]) { write in
      try change(try write.transaction(of: vault), number)
      try write.transaction(of: beside).add(MarkedObject(count, number), update: .all)
    }
  }

  private static func change(_ transaction: WriteTransaction, _ number: Int) throws {
    try transaction.add(MarkedObject(firstAdded + number, number), update: .all)
    try transaction.add(MarkedObject(count, number), update: .all)
    try transaction.add(MarkedObject(1 + number % (items - 1), number), update: .all)
    if let list = try transaction.object(ofType: MarkedObject.self, forPrimaryKey: 0) {
      list.texts[number % large] = element(number)
      list.map[MarkedObject.key(number % large)] = element(number)
      list.names.remove(number > large ? element(number - large) : list.name(number % large))
      list.names.insert(element(number))
    }
    if let old = try transaction.object(ofType: MarkedObject.self, forPrimaryKey: firstAdded + number - kept)
    {
      try transaction.delete(old)
    }
  }

  private static func element(_ number: Int) -> String { "\(MarkedObject.marker)element \(number)" }

  // MARK: Comparing

  /// The number of writes that a store has, by its count.
  static func number(in repository: MarkedRepository) throws -> Int {
    try repository.read { snapshot in
      guard let count = try snapshot.object(ofType: MarkedObject.self, forPrimaryKey: count) else {
        return -1
      }
      return Int(count.text.split(separator: " ").last ?? "") ?? -1
    }
  }

  /// What a store does not have as it is after so many writes.
  static func problems(in vault: MarkedRepository, after number: Int) throws -> [String] {
    var expected: [Int: String] = [:]
    for id in 1..<items {
      let last = number - ((number - id + 1) % (items - 1) + (items - 1)) % (items - 1)
      expected[id] = MarkedObject(id, max(last, 0)).content
    }
    expected[count] = MarkedObject(count, number).content
    for added in max(1, number - kept + 1)..<max(1, number + 1) {
      expected[firstAdded + added] = MarkedObject(firstAdded + added, added).content
    }
    let first = MarkedObject(0, 0, size: large)
    for written in max(1, number - large + 1)..<max(1, number + 1) {
      first.texts[written % large] = element(written)
      first.map[MarkedObject.key(written % large)] = element(written)
      first.names.remove(first.name(written % large))
      first.names.insert(element(written))
    }
    expected[0] = first.content
    var problems: [String] = []
    try vault.read { snapshot in
      var found = Set<Int>()
      for object in snapshot.objects(MarkedObject.self) {
        found.insert(object.id)
        if object.content != expected[object.id] { problems.append("object \(object.id) is another one") }
      }
      for id in expected.keys where !found.contains(id) { problems.append("object \(id) is missing") }
      // By an index and by words, which are in clear.
      let ranks = try snapshot.objects(MarkedObject.self).where { $0.rank == 3 }.all().map(\.id)
      if ranks.contains(where: { !found.contains($0) }) { problems.append("the index has other objects") }
    }
    return problems.sorted()
  }

  /// The number of the last write to both stores.
  static func lastJoint(_ number: Int) -> Int { number / 4 * 4 }
}
