import LMDB

/// The trees of a store: how many there are, what they are called, and their handles.
extension StoreOpening {
  static func maximumTrees(of configuration: StoreConfiguration) -> Int {
    var declared = 0
    for descriptor in configuration.schema.descriptors {
      declared += 1 + descriptor.properties.count + descriptor.indexes.count
    }
    // Migrations have the trees of several schemas at once, and temporary ones.
    return max(256, declared * 4 + 64)
  }

  /// How many trees a migration may have to have open, an estimate that includes those of the old schema; 0 where none
  /// is due.
  static func treesOfMigration(of stored: Catalogue, to configuration: StoreConfiguration) -> Int {
    if stored.schemaVersion >= configuration.schemaVersion { return 0 }
    var trees = stored.types.reduce(0) { $0 + treeNames(of: $1).count } * 2
    for step in configuration.migrationPlan?.steps(after: stored.schemaVersion) ?? [] {
      for type in step.objectTypes ?? [] {
        let descriptor = ObjectDescriptor.of(type)
        trees += (descriptor.properties.count + descriptor.indexes.count) * 2 + 2
      }
    }
    return trees + maximumTrees(of: configuration)
  }

  /// The handles of a catalogue's trees, in a transaction that may have just made them.
  static func openTrees(
    of catalogue: Catalogue,
    store: String,
    in environment: LMDB.Environment,
    usesUnicodeIndexes: Bool = true
  ) throws -> StoreTables {
    // One after the other: the environment has opened them all with itself, as a rule, and the runtime would
    // have to make the storage of an array of handles that may be missing.
    func tree(_ name: String) throws -> Database {
      if let database = try environment.openDatabase(named: name) { return database }
      throw FiefError(.damagedStore, "A tree that the catalogue names is missing.", details: [name])
    }
    let catalogueTree = try tree(catalogueTree)
    var all: [Table] = []
    for entry in catalogue.types {
      all.append(try table(for: entry, usesUnicodeIndexes: usesUnicodeIndexes) { try tree($0) })
    }
    return StoreTables(
      storeName: store,
      catalogueTree: catalogueTree,
      collections: try environment.openDatabase(named: LargeCollection.treeName),
      all: all,
      format: catalogue.format
    )
  }

  static func treeNames(of entry: TypeEntry) -> [String] {
    guard !entry.isEmbedded else { return [] }
    var names = [entry.tree]
    for column in entry.currentColumns {
      if column.type.isLink { names.append(column.backlinkTree(of: entry)) }
    }
    for index in entry.indexes { names.append(entry.indexTree(index)) }
    return names
  }

  /// - Parameters:
  ///   - formerKey: the columns of the primary key before, while a migration changes it.
  ///   - usesUnicodeIndexes: whether indexes were made with this process's tables of Unicode; those that were not are
  ///     left out, so that nothing is looked up in them.
  static func table(
    for entry: TypeEntry,
    formerKey: [ColumnEntry] = [],
    usesUnicodeIndexes: Bool = true,
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
      formerKey: formerKey
    )
  }
}
