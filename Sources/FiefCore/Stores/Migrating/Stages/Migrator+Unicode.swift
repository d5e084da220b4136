import LMDB

extension Migrator {
  /// Rebuilds the indexes that depend on Unicode tables with the tables of this process, in a separate
  /// commit, unless another process has already done so.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue` if texts that were different are now equal in a unique
  ///   index.
  func rebuildUnicodeIndexes(of catalogue: Catalogue, _ environment: LMDB.Environment) throws {
    do {
      _ = try environment.openDatabases(catalogue.treeNames, create: false)
      try environment.write { transaction in
        let tree = try transaction.openDatabase(named: Catalogue.treeName)
        try JointRows.checkNoMarkers(tree, in: transaction)
        // If the store was migrated in the meantime, the next transaction detects it.
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

  /// Writes the fingerprint after a migration. Indexes that the migration did not build itself are rebuilt if
  /// they were built with other tables.
  func updateUnicodeIndexes(
    _ migration: Migration,
    from stored: Catalogue,
    to catalogue: Catalogue,
    _ tree: Database,
    in transaction: LMDB.WritableTransaction
  ) throws {
    guard UnicodeTables.serve(catalogue) else { return }
    let isStored = try UnicodeTables.isStored(configuration.unicodeFingerprint, tree, in: transaction)
    if isStored { return }
    if UnicodeTables.serve(stored) { try migration.rebuildUnicodeIndexes(of: catalogue) }
    try UnicodeTables.store(configuration.unicodeFingerprint, tree, in: transaction)
  }
}

extension Migration {
  /// Rebuilds the indexes that depend on Unicode tables from the records.
  fileprivate func rebuildUnicodeIndexes(of catalogue: Catalogue) throws {
    try writer.flushTrees()
    writer.tables = try tables(of: catalogue, formerKeys: [:])
    for table in writer.tables.all {
      let indexes = table.indexes.filter(\.entry.dependsOnUnicode)
      if !indexes.isEmpty { try IndexBuilder(self, table, indexes).build() }
    }
  }
}
