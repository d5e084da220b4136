import Foundation
import LMDB

/// The tables of a store by name, and the tree of its catalogue.
package final class StoreTables: Sendable {
  package let storeName: String
  package let catalogueTree: Database
  /// The tree of large collections, or `nil` while it is unknown.
  private let collections: OwnedLock<Database?>
  package let all: [Table]
  /// The relationship rules of each table, in the order of the tables.
  let rules: [TableRules]
  private let byName: SortedTable<String, Table>

  /// Whether the checksums of new records cover the keys of the records.
  let coversKeys: Bool

  /// The clock that provides the times to store.
  package let clock: @Sendable () -> Date

  /// - Parameters:
  ///   - format: The format of the store, or the format to which the store is being converted.
  ///   - clock: The clock that provides the times to store.
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
  /// Whether any type has a primary key with secret columns.
  let hasSecretKeys: Bool

  /// Returns the tree of large collections, or `nil` if the store has none and thus no large collections.
  package func collectionTree(in transaction: LMDB.Transaction) throws -> Database? {
    if let known = collections.withLock({ $0 }) { return known }
    guard let found = try transaction.database(named: Catalogue.collectionTreeName) else { return nil }
    // A tree that a write has created does not exist before the commit, so only a read transaction caches it.
    if transaction is LMDB.ReadTransaction { collections.withLock { $0 = found } }
    return found
  }

  /// Returns the type of the property whose value is the large collection of a marker.
  func type(of marker: CollectionMarker) -> ColumnType? {
    for table in all {
      for collection in table.collections where marker.belongs(to: collection.column.id, of: table.entry.id) {
        return collection.column.type
      }
    }
    return nil
  }

  package subscript(name: String) -> Table? { byName[name] }

  /// Returns the table of a type by the type's id, which never changes.
  package subscript(number id: UInt32) -> Table? { all.first { $0.entry.id == id } }

  /// Returns the table of a type.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` if the store has no such type.
  package func table(named name: String) throws -> Table {
    if let table = byName[name] { return table }
    throw FiefError(.unknownType, "The store has no such type.", store: storeName, type: name)
  }

  /// Returns the relationship rules of a table. During a migration, the table may belong to the previous
  /// schema.
  package func rules(of table: Table) -> TableRules {
    if table.number < all.count, all[table.number] === table { return rules[table.number] }
    return all.firstIndex { $0.name == table.name }.map { rules[$0] } ?? TableRules()
  }
}
