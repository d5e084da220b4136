import Fief
import Foundation

/// What the first store of the workload answers, by every way in which it can be asked; and a write that reaches every kind of tree.
package struct StoreReadings: Sendable {
  /// An answer, or the error in its place. The text has a line for each object, key or element; a line that begins with # is a number
  /// of them.
  package enum Answer: Equatable, Sendable {
    case text(String), error(String), other(String)

    /// The answer that a closure gives.
    package init(of body: () throws -> String) {
      do { self = .text(try body()) } catch let error as FiefError {
        self = .error(error.code.rawValue)
      } catch { self = .other("\(error)") }
    }
  }

  /// The number of steps of ``TortureSteps`` that make the store.
  package static let steps = 8

  private let store: Store

  package init(_ repository: TortureRepository) { store = repository.store() }

  package static let names = [
    "objects", "look-ups", "unique index", "index", "compound index", "full text", "sort", "count", "sum",
    "owners", "large list",
  ]

  /// What "sum" may have for the greatest value where only some of the objects are found.
  package func greatestRanks() throws -> [String] {
    let ranks = try store.read { snapshot in try snapshot.objects(TortureItem.self).all().map(\.rank) }
    return [Self.text(greatest: nil)] + ranks.map { Self.text(greatest: $0) }
  }
  private static func text(greatest: Int?) -> String { "greatest \(greatest.map { "\($0)" } ?? "none")" }

  package func answer(_ name: String) -> Answer { Answer(of: { try text(name) }) }

  private func text(_ name: String) throws -> String {
    try store.read { snapshot in
      let items = snapshot.objects(TortureItem.self)
      switch name {
      case "objects":
        var text = ""
        try items.forEachObject { text += describe($0) }
        return text
      case "look-ups":
        return try (0..<1_024).map { id in
          try snapshot.object(ofType: TortureItem.self, forPrimaryKey: id).map(describe) ?? "-\n"
        }.joined()
      case "unique index":
        return try (0..<180).map { number in
          try ids(items.where { $0.code == "code \(number)" })
        }.joined()
      case "index": return try ids(items.where { $0.rank >= 3 && $0.rank < 120 })
      case "compound index": return try ids(items.where { $0.rank == 3 && $0.code >= "code 15" })
      case "full text":
        return try ids(items.where { $0.text.matches("words") })
          + ids(items.where { $0.text.matches("other") })
      case "sort": return try ids(items.sorted(byKeyPath: "rank", ascending: false))
      case "count": return "#\(try items.fetchCount())\n#\(try items.where { $0.rank > 2 }.fetchCount())\n"
      case "sum":
        let (sum, greatest) = (try items.fetchSum(of: \.rank), try items.fetchMax(of: \.rank))
        return "#\(sum)\n\(Self.text(greatest: greatest))\n"
      case "owners":
        var text = ""
        try snapshot.objects(TortureOwner.self).forEachObject { owner in
          text += "\(owner.id) \(owner.name)\n" + owner.items.map { "\(owner.id) has \($0.id)\n" }.joined()
        }
        return text
      default:
        let notes = try snapshot.object(ofType: TortureItem.self, forPrimaryKey: 500)?.notes
        return notes.map { "#\($0.count)\n" + $0.joined(separator: "\n") } ?? "-"
      }
    }
  }

  private func ids(_ results: Results<TortureItem>) throws -> String {
    try results.all().map { "\($0.id)\n" }.joined() + "\n"
  }

  private func describe(_ item: TortureItem) -> String {
    let bytes = item.bytes.reduce(into: UInt64(item.bytes.count)) { $0 = $0 &* 31 &+ UInt64($1) }
    return "\(item.id) \(item.code) \(item.rank) \(item.text) \(item.notes.count) \(bytes)\n"
  }

  /// Changes objects, indexes and a large list, deletes with a cascade, and adds.
  package func change() throws {
    try store.write { transaction in
      for item in transaction.objects(TortureItem.self).where({ $0.id >= 20 && $0.id < 120 }) {
        item.rank += 5
        item.code += "+"
        item.text = "changed words \(item.id)"
      }
      for item in try transaction.objects(TortureItem.self).where({ $0.code.starts(with: "changed") }).all() {
        item.notes.append("one more")
      }
      if let owner = try transaction.object(ofType: TortureOwner.self, forPrimaryKey: 3) {
        try transaction.delete(owner)
      }
      if let item = try transaction.object(ofType: TortureItem.self, forPrimaryKey: 500) {
        item.notes[700] = "changed"
        item.notes.append("the last one")
      }
      for id in 2_000..<2_050 {
        try transaction.add(
          TortureItem(value: ["id": id, "code": "new \(id)", "rank": id % 5, "text": "new words"])
        )
      }
    }
  }
}
