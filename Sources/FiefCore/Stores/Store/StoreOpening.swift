import Foundation
import LMDB

/// A catalogue that was read from a store. To copy an optional ``Catalogue``, the runtime would create type
/// metadata; an optional reference avoids this.
final class StoredCatalogue: Sendable {
  let value: Catalogue

  init(_ value: Catalogue) { self.value = value }
}

/// Opening a store's files, its catalogue and its trees.
package enum StoreOpening {
  /// Returns the catalogue of a store, or nil if nothing was ever committed to the store.
  ///
  /// - Throws: ``FiefError`` of code `damagedStore` if something was committed and there is no catalogue. The
  ///   catalogue is written first, and the manifest follows; creating a new catalogue would destroy the
  ///   contents of the store.
  package static func storedCatalogue(in environment: LMDB.Environment) throws -> Catalogue? {
    try readCatalogue(in: environment)?.value
  }

  /// Returns the same catalogue as ``storedCatalogue(in:)``, as an instance of a class.
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
    FiefError(.damagedStore, "The LMDB environment is not a store of Fief: it has no catalogue.")
  }

  /// Opens the trees of a catalogue.
  package static func openTrees(
    of catalogue: Catalogue,
    store: String,
    in environment: LMDB.Environment,
    usesUnicodeIndexes: Bool = true,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) throws -> StoreTables {
    // The trees are opened one by one. The environment usually has them open already, and for an array of
    // optional handles the runtime would create type metadata.
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
      collections: try environment.openDatabase(named: Catalogue.collectionTreeName),
      all: all,
      format: catalogue.format,
      clock: clock
    )
  }

  /// - Parameters:
  ///   - formerKey: the former columns of the primary key, during a migration that changes it.
  ///   - usesUnicodeIndexes: whether the text indexes were built with this process's Unicode tables.
  ///     Otherwise they are omitted, so that they are not used for lookups.
  ///   - cipher: the cipher of an encrypted store.
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
    // The loop uses indices, as in `Layout`.
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
  /// Opens the files of a store without applying a schema. The values of an encrypted store cannot be read.
  package static func openFiles(
    _ directory: String,
    isReadOnly: Bool,
    _ verification: StoreOptions.Verification,
    allowsGroup: Bool = false
  ) throws(LMDBError) -> LMDB.Environment {
    if !isReadOnly { UnnamedFile.removeAbandoned(in: directory) }
    var options = EnvironmentOptions()
    options.allowsGroupWritableDirectory = allowsGroup
    options.isReadOnly = isReadOnly
    options.createsIfMissing = false
    options.createsLockTable = !isReadOnly
    options.maxDatabases = 4096
    options.verification = verification.ofEnvironment
    // If this process already has the environment open, the environment keeps its durability.
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
