import LMDB

extension Migrator {
  /// Brings the indexes that depend on the tables of Unicode to those of this process, in a commit of its own, unless
  /// another process has done it meanwhile.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue` where texts that were different are the same now in a unique index.
  func rebuildUnicodeIndexes(of catalogue: Catalogue, _ environment: LMDB.Environment) throws {
    do {
      _ = try environment.openDatabases(catalogue.treeNames, create: false)
      try environment.write { transaction in
        let tree = try transaction.openDatabase(named: Catalogue.treeName)
        try JointRows.checkNoMarkers(tree, in: transaction)
        // Where it was migrated meanwhile, the next transaction says so.
        guard let stored = try Catalogue.stored(in: tree, of: transaction), stored == catalogue else {
          return
        }
        if try UnicodeTables.isStored(configuration.unicodeFingerprint, tree, in: transaction) { return }
        try stored.checkTrees(in: transaction)
        let migration = Migration(
          configuration: configuration,
          stored: stored,
          catalogueTree: tree,
          transaction: transaction,
          oldTransaction: transaction,
          renames: [],
          directory: environment.directory
        )
        try migration.rebuildUnicodeIndexes(of: stored)
        try UnicodeTables.store(configuration.unicodeFingerprint, tree, in: transaction)
      }
    } catch is JointPending {
      let side = try StoreOpening.jointSide(environment, configuration.name, isInMemory: false)
      if let side { try JointRecovery.settleMarkers(of: side) }
      try rebuildUnicodeIndexes(of: catalogue, environment)
    } catch {
      throw FiefError.described(error, store: configuration.name)
    }
  }

  /// Writes the fingerprint after a migration; the indexes that it has not built itself are built again where they were made
  /// with other tables.
  func updateUnicodeIndexes(
    _ migration: Migration,
    from stored: Catalogue,
    to catalogue: Catalogue,
    _ tree: Database,
    in transaction: LMDB.WritableTransaction
  ) throws {
    guard catalogue.hasUnicodeIndexes else { return }
    let isStored = try UnicodeTables.isStored(configuration.unicodeFingerprint, tree, in: transaction)
    if isStored { return }
    if stored.hasUnicodeIndexes { try migration.rebuildUnicodeIndexes(of: catalogue) }
    try UnicodeTables.store(configuration.unicodeFingerprint, tree, in: transaction)
  }
}

extension Migration {
  /// Makes the indexes that depend on the tables of Unicode again, from the records.
  fileprivate func rebuildUnicodeIndexes(of catalogue: Catalogue) throws {
    try writer.flushTrees()
    writer.tables = try tables(of: catalogue, formerKeys: [:])
    for table in writer.tables.all {
      let indexes = table.indexes.filter(\.entry.dependsOnUnicode)
      if !indexes.isEmpty { try IndexBuilder(self, table, indexes).build() }
    }
  }
}
