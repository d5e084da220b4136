import Fief
import LMDB
import Testing

/// What a test takes away of the only large collection of a store that it has closed.
enum CollectionDamage: CaseIterable {
  case everything
  /// The root of a list, the count of a set or a map.
  case root
  /// The last element, or the last of the nodes below the root.
  case lastEntry

  func apply(in directory: String) throws {
    let environment = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
    defer { environment.close() }
    try environment.write { transaction in
      let tree = try transaction.openDatabase(named: Catalogue.collectionTreeName)
      let keys = try Self.entries(of: tree, in: transaction)
      let number = [UInt8](repeating: 0, count: 8)
      let root = try #require(keys.first { $0[CollectionMarker.prefixCount...].elementsEqual([0] + number) })
      let removed: [[UInt8]]
      switch self {
      case .everything: removed = keys
      case .root: removed = [root]
      case .lastEntry:
        removed = [try #require(keys.last { $0 != root && $0[CollectionMarker.prefixCount] < 2 })]
      }
      for key in removed { #expect(try key.withUnsafeBytes { try transaction.delete(tree, $0) }) }
    }
  }

  /// The keys of all entries but for those that number the collections of a property.
  private static func entries(of tree: Database, in transaction: WritableTransaction) throws -> [[UInt8]] {
    let cursor = try transaction.cursor(tree)
    var keys: [[UInt8]] = []
    while try cursor.next() {
      if cursor.key.count > CollectionMarker.prefixCount { keys.append([UInt8](cursor.key)) }
    }
    return keys
  }
}
