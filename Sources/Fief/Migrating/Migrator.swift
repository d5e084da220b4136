import LMDB

/// Makes a new store, or brings one to the declared schema: everything in one transaction.
struct Migrator {
  let configuration: StoreConfiguration

  /// - Returns: the catalogue that the store then has.
  /// - Throws: ``FiefError``; the store is then byte for byte what it was.
  func migrate(_ environment: LMDB.Environment) throws -> Catalogue {
    var result: (catalogue: Catalogue, from: UInt64?)
    do {
      // Opened before the transaction, so that the old state can be read beside it.
      if let stored = try StoreOpening.storedCatalogue(in: environment) {
        _ = try environment.openDatabases(stored.types.flatMap(StoreOpening.treeNames), create: false)
      }
      result = try environment.write { transaction in
        let old = try environment.beginRead()
        defer { environment.endRead(old) }
        return try migrate(in: transaction, old: old)
      }
    } catch {
      throw FiefError.described(error, store: configuration.name)
    }
    if let from = result.from {
      configuration.options.eventHandler?(
        .migrated(store: configuration.name, from: from, to: result.catalogue.schemaVersion)
      )
    }
    return result.catalogue
  }

  private func migrate(
    in transaction: LMDB.WriteTransaction,
    old: LMDB.ReadTransaction
  ) throws -> (Catalogue, UInt64?) {
    let tree = try transaction.openDatabase(named: StoreOpening.catalogueTree)
    let stored = try StoreOpening.catalogueKey.withUnsafeBytes { key in
      try transaction.get(tree, key).map { try Catalogue.decode($0) }
    }
    guard let stored else {
      var catalogue = Catalogue(schemaVersion: configuration.schemaVersion)
      for descriptor in configuration.schema.descriptors { try catalogue.add(descriptor) }
      for name in catalogue.types.flatMap(StoreOpening.treeNames) {
        _ = try transaction.openDatabase(named: name)
      }
      try write(catalogue, to: tree, in: transaction)
      return (catalogue, nil)
    }
    // Another process may have migrated the store since it was looked at.
    if stored.schemaVersion == configuration.schemaVersion,
      SchemaComparison.differences(of: configuration.schema, from: stored).isEmpty
    {
      return (stored, nil)
    }
    guard stored.schemaVersion < configuration.schemaVersion else {
      throw FiefError(
        .versionTooLow,
        "Another process has migrated the store meanwhile.",
        store: configuration.name
      )
    }
    let catalogue = try migrate(stored, tree: tree, in: transaction, oldTransaction: old)
    return (catalogue, stored.schemaVersion)
  }

  private func migrate(
    _ stored: Catalogue,
    tree: Database,
    in transaction: LMDB.WriteTransaction,
    oldTransaction: LMDB.ReadTransaction
  ) throws -> Catalogue {
    var next = stored
    next.schemaVersion = configuration.schemaVersion
    for descriptor in configuration.schema.descriptors {
      if let index = next.types.firstIndex(where: { $0.name == descriptor.name }) {
        try update(&next.types[index], to: descriptor, in: transaction)
      } else {
        try next.add(descriptor)
      }
    }
    let declared = Set(configuration.schema.descriptors.map(\.name))
    next.types.removeAll { !declared.contains($0.name) }

    let old = try Self.tables(of: stored, store: configuration.name, tree: tree, in: transaction)
    let new = try Self.tables(of: next, store: configuration.name, tree: tree, in: transaction)
    let migration = Migration(
      configuration: configuration,
      writer: RecordWriter(tables: new, transaction: transaction, collectsChanges: false),
      old: old,
      oldTransaction: oldTransaction,
      new: new,
      catalogue: next,
      oldSchemaVersion: stored.schemaVersion
    )
    let conversion = MigrationConversion(migration: migration, stored: stored)
    try conversion.run()
    do {
      try configuration.migrationBlock?(migration, stored.schemaVersion)
      if let failure = migration.failure { throw failure }
    } catch let error as FiefError {
      throw error
    } catch {
      throw FiefError(
        .migrationFailed,
        "The migration block threw.",
        store: configuration.name,
        underlying: error
      )
    }
    try conversion.finish()
    migration.catalogue.format = Catalogue.currentFormat
    try write(migration.catalogue, to: tree, in: transaction)
    return migration.catalogue
  }

  private func write(_ catalogue: Catalogue, to tree: Database, in transaction: LMDB.WriteTransaction) throws
  {
    try StoreOpening.catalogueKey.withUnsafeBytes { key in
      try catalogue.encoded().withUnsafeBytes { try transaction.put(tree, key, $0) }
    }
  }

  /// Brings one type's entry to what its class declares.
  private func update(
    _ entry: inout TypeEntry,
    to descriptor: ObjectDescriptor,
    in transaction: LMDB.WriteTransaction
  ) throws {
    let differences = SchemaComparison.differences(of: descriptor, from: entry)
    guard !differences.isEmpty else { return }
    guard entry.isEmbedded == descriptor.isEmbedded else {
      throw unsupported("A type cannot become embedded, or stop being so.", entry, differences)
    }
    try entry.updateColumns(to: descriptor)
    let key = descriptor.primaryKey.compactMap { entry.column(named: descriptor.properties[$0].column)?.id }
    if key != entry.primaryKey {
      if try count(entry, in: transaction) > 0 {
        throw unsupported("The primary key of a type with objects cannot change.", entry, differences)
      }
      entry.primaryKey = key
    }
    try entry.addLayout()
  }

  private func unsupported(
    _ message: String,
    _ entry: TypeEntry,
    _ differences: [SchemaComparison.Difference]
  ) -> FiefError {
    FiefError(
      .migrationFailed,
      message,
      store: configuration.name,
      type: entry.name,
      details: differences.map(\.description)
    )
  }

  private func count(_ entry: TypeEntry, in transaction: LMDB.WriteTransaction) throws -> Int {
    guard !entry.isEmbedded, let tree = try transaction.database(named: entry.tree) else { return 0 }
    return try transaction.count(tree)
  }

  static func tables(
    of catalogue: Catalogue,
    store: String,
    tree: Database,
    in transaction: LMDB.WriteTransaction
  ) throws -> StoreTables {
    var handles: [String: Database] = [:]
    for name in catalogue.types.flatMap(StoreOpening.treeNames) {
      handles[name] = try transaction.openDatabase(named: name)
    }
    return StoreTables(
      storeName: store,
      catalogueTree: tree,
      all: catalogue.types.map { StoreOpening.table(for: $0) { handles[$0] } }
    )
  }

  /// After a change of the catalogue in the middle of a migration.
  static func reopenTables(of migration: Migration) throws {
    migration.new = try tables(
      of: migration.catalogue,
      store: migration.configuration.name,
      tree: migration.new.catalogueTree,
      in: migration.writer.transaction
    )
    migration.writer.tables = migration.new
  }
}
