import Fief
import Foundation

/// Migrations of many objects, run by hand: `fief-bench scale migrate_values DIRECTORY COUNT 10000`, and
/// `migrate_keys` for a change of the primary key that every link follows. The store is made first, by a process
/// of its own with the row `migrate_load`, so that the peak of memory is that of the migration.
struct MigrationScale {
  static let rows = ["migrate_load", "migrate_values", "migrate_keys"]

  private enum First {
    final class Node: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      @Persisted var weight = 0
      @Persisted var next: Node?
      @Persisted var owner: Keeper?
    }
    final class Keeper: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var first: Node?
    }
  }

  private enum Second {
    final class Node: Object {
      @Persisted var id = 0
      @Persisted(primaryKey: true) var name = ""
      @Persisted var weight = 0
      @Persisted var next: Node?
      @Persisted var owner: Keeper?
    }
    final class Keeper: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var first: Node?
    }
  }

  private struct Repository: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "migrated" }
    var schemaVersion: UInt64?
    var objectTypes: [Object.Type]?
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock?
    var directory: String?
  }

  let directory: String
  let count: Int
  let batch: Int

  /// The seconds that the row takes.
  func run(_ row: String) throws -> Double {
    switch row {
    case "migrate_load": return try load()
    case "migrate_values":
      return try migrate([First.Node.self, First.Keeper.self]) { migration, _ in
        try migration.enumerateObjects(ofType: "Node") { old, new in
          new?["weight"] = try (old?.value("weight", as: Int.self) ?? 0) + 1
        }
      }
    default:
      return try migrate([Second.Node.self, Second.Keeper.self]) { migration, _ in
        try migration.enumerateObjects(ofType: "Node") { old, new in
          // The new values are in no order.
          let id = try old?.value("id", as: Int.self) ?? 0
          new?["name"] = String(UInt64(bitPattern: Int64(id)) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
        }
      }
    }
  }

  private func load() throws -> Double {
    try Files.makeEmpty(directory)
    let repository = Repository(
      schemaVersion: 1,
      objectTypes: [First.Node.self, First.Keeper.self],
      migrationBlock: nil,
      directory: directory
    )
    defer { repository.close() }
    return try Clock.time {
      for first in stride(from: 1, through: count, by: batch) {
        try repository.store().write { transaction in
          let keeper = First.Keeper()
          keeper.id = first
          var last: First.Node?
          for id in first...min(first + batch - 1, count) {
            let node = First.Node()
            node.id = id
            node.name = "node \(id)"
            node.next = last
            node.owner = keeper
            try transaction.add(node)
            last = node
          }
          keeper.first = last
        }
      }
    }
  }

  private func migrate(_ types: [Object.Type], _ block: @escaping MigrationBlock) throws -> Double {
    let repository = Repository(
      schemaVersion: 2,
      objectTypes: types,
      migrationBlock: block,
      directory: directory
    )
    defer { repository.close() }
    let seconds = try Clock.time { _ = try repository.overview() }
    return seconds
  }
}
