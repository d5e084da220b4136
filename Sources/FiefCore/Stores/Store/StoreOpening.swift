import Foundation
import LMDB

/// A catalogue that was read from a store. The runtime has to make a type to copy an optional ``Catalogue``, but not for an optional
/// instance.
final class StoredCatalogue: Sendable {
  let value: Catalogue

  init(_ value: Catalogue) { self.value = value }
}

/// What there is in the files of a store: the catalogue, the trees and their handles.
package enum StoreOpening {
  /// The catalogue of a store; nil where there is none yet, since nothing was ever committed.
  ///
  /// - Throws: ``FiefError`` of code `damagedStore` where something was committed and there is no catalogue:
  ///   a store begins with it, gets its manifest after it, and making a new one would destroy its content.
  package static func storedCatalogue(in environment: LMDB.Environment) throws -> Catalogue? {
    try readCatalogue(in: environment)?.value
  }

  /// The same as ``storedCatalogue(in:)``, in an instance.
  static func readCatalogue(in environment: LMDB.Environment) throws -> StoredCatalogue? {
    try environment.read { transaction in
      guard let tree = try transaction.database(named: Catalogue.treeName) else {
        guard transaction.id == 0, !environment.hadManifest, try transaction.databaseNames().isEmpty else {
          throw noCatalogue
        }
        return nil
      }
      return try Catalogue.key.withUnsafeBytes { key in
        guard let bytes = try transaction.get(tree, key) else { throw Catalogue.damaged }
        return StoredCatalogue(try Catalogue.decode(bytes))
      }
    }
  }

  static var noCatalogue: FiefError {
    FiefError(.damagedStore, "The LMDB environment is not one of this library's: it has no catalogue.")
  }

  /// The handles of a catalogue's trees, in a transaction that may have just made them.
  package static func openTrees(
    of catalogue: Catalogue,
    store: String,
    in environment: LMDB.Environment,
    usesUnicodeIndexes: Bool = true,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) throws -> StoreTables {
    // One after the other: the environment has opened them all with itself, as a rule, and the runtime would
    // have to make the storage of an array of handles that may be missing.
    func tree(_ name: String) throws -> Database {
      if let database = try environment.openDatabase(named: name) { return database }
      throw Catalogue.missingTree(name)
    }
    let catalogueTree = try tree(Catalogue.treeName)
    let cipher = (environment.sealing as? StoreSealer)?.cipher
    var all: [Table] = []
    for entry in catalogue.types {
      let table = try table(for: entry, usesUnicodeIndexes: usesUnicodeIndexes, cipher: cipher) {
        try tree($0)
      }
      all.append(table)
    }
    return StoreTables(
      storeName: store,
      catalogueTree: catalogueTree,
      collections: try environment.openDatabase(named: LargeCollection.treeName),
      all: all,
      format: catalogue.format,
      clock: clock
    )
  }

  /// - Parameters:
  ///   - formerKey: the columns of the primary key before, while a migration changes it.
  ///   - usesUnicodeIndexes: whether indexes were made with this process's tables of Unicode; those that were not are
  ///     left out, so that nothing is looked up in them.
  ///   - cipher: that of an encrypted store.
  static func table(
    for entry: TypeEntry,
    formerKey: [ColumnEntry] = [],
    usesUnicodeIndexes: Bool = true,
    cipher: (any StoreCipher)?,
    handle: (String) throws -> Database?
  ) rethrows -> Table {
    guard !entry.isEmbedded else { return Table(entry: entry, records: nil, indexes: [], links: []) }
    var indexes: [Table.Index] = []
    var links: [Table.LinkColumn] = []
    // By their indexes, as in `Layout`.
    for index in entry.columns.indices where !entry.columns[index].isDropped {
      let column = entry.columns[index]
      if column.type.isLink, let tree = try handle(column.backlinkTree(of: entry)) {
        links.append(Table.LinkColumn(column: column, backlinks: tree))
      }
    }
    for index in entry.indexes where usesUnicodeIndexes || !index.dependsOnUnicode {
      guard let tree = try handle(entry.indexTree(index)) else { continue }
      let columns = index.columns.compactMap { entry.column($0) }
      guard columns.count == index.columns.count else { continue }
      indexes.append(Table.Index(entry: index, columns: columns, database: tree))
    }
    return Table(
      entry: entry,
      records: try handle(entry.tree),
      indexes: indexes,
      links: links,
      formerKey: formerKey,
      cipher: cipher
    )
  }
}

extension StoreOpening {
  /// Opens the files of a store as they are, without its schema and in an encrypted one without its values.
  package static func openFiles(
    _ directory: String,
    isReadOnly: Bool,
    _ verification: StoreOptions.Verification,
    allowsGroup: Bool = false
  ) throws(LMDBError) -> LMDB.Environment {
    var options = EnvironmentOptions()
    options.allowsGroupWritableDirectory = allowsGroup
    options.isReadOnly = isReadOnly
    options.createsIfMissing = false
    options.createsLockTable = !isReadOnly
    options.maxDatabases = 4096
    options.verification = verification.ofEnvironment
    // An environment that this process has open already keeps its own durability.
    for durability in [Durability.full, .relaxed] {
      options.durability = durability
      do { return try LMDB.Environment.open(directory: directory, options: options) } catch {
        guard error.code == .openOtherwise else { throw error }
      }
    }
    options.durability = .none
    return try LMDB.Environment.open(directory: directory, options: options)
  }
}
