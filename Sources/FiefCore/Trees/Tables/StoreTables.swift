import Foundation
import LMDB

/// The tables of a store by name, and its catalogue's tree.
package final class StoreTables: Sendable {
  package let storeName: String
  package let catalogueTree: Database
  /// The tree of large collections; nil before it is known.
  private let collections: OwnedLock<Database?>
  package let all: [Table]
  /// The rules of relationships for each table, in the order of the tables.
  let rules: [TableRules]
  private let byName: SortedTable<String, Table>

  /// Whether the checksums of records that are written cover their keys.
  let coversKeys: Bool

  /// The source of times that are stored.
  package let clock: @Sendable () -> Date

  /// - Parameters:
  ///   - format: that of the store, or the one that it has in the end.
  ///   - clock: the source of times that are stored.
  init(
    storeName: String,
    catalogueTree: Database,
    collections: Database?,
    all: [Table],
    format: UInt32 = Catalogue.currentFormat,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.clock = clock
    self.coversKeys = format >= Catalogue.formatWithKeysInChecksums
    self.storeName = storeName
    self.catalogueTree = catalogueTree
    self.collections = OwnedLock(collections)
    self.all = all
    self.rules = Self.resolveRules(of: all)
    self.byName = SortedTable(all, by: \.name)
    self.hasDerived = all.contains(where: \.hasDerived)
    self.hasSecretKeys = all.contains(where: \.hasSecretKey)
    if hasDerived { resolveDerivations() }
  }

  /// Whether any type has derived properties.
  let hasDerived: Bool
  /// Whether any type has a primary key with secret parts.
  let hasSecretKeys: Bool

  /// The tree of large collections; nil where there is none, and therefore no such collection.
  package func collectionTree(in transaction: LMDB.Transaction) throws -> Database? {
    if let known = collections.withLock({ $0 }) { return known }
    guard let found = try transaction.database(named: LargeCollection.treeName) else { return nil }
    // A tree that a write has made exists when the write is committed.
    if transaction is LMDB.ReadTransaction { collections.withLock { $0 = found } }
    return found
  }

  /// The type of the property that a large collection is the value of.
  func type(of marker: CollectionMarker) -> ColumnType? {
    for table in all {
      for collection in table.collections where marker.belongs(to: collection.column.id, of: table.entry.id) {
        return collection.column.type
      }
    }
    return nil
  }

  package subscript(name: String) -> Table? { byName[name] }

  /// The table of a type's number, which it keeps for ever.
  package subscript(number id: UInt32) -> Table? { all.first { $0.entry.id == id } }

  /// The table of a type.
  ///
  /// - Throws: ``FiefError`` of code `unknownType`.
  package func table(named name: String) throws -> Table {
    if let table = byName[name] { return table }
    throw FiefError(.unknownType, "The store has no such type.", store: storeName, type: name)
  }

  /// The rules of relationships for a table. In a migration it may be one of the schema before.
  package func rules(of table: Table) -> TableRules {
    if table.number < all.count, all[table.number] === table { return rules[table.number] }
    return all.firstIndex { $0.name == table.name }.map { rules[$0] } ?? TableRules()
  }
}
