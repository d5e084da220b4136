import LMDB

/// Creates a new store, or migrates a store to the declared schema, in a single transaction.
struct Migrator {
  let configuration: StoreConfiguration

  /// - Returns: the resulting catalogue of the store.
  /// - Throws: ``FiefError``. The store is then unchanged, byte for byte.
  func migrate(_ environment: LMDB.Environment) throws -> Catalogue {
    let result = try repeating(in: environment) { try migrateOnce(environment) }
    if let from = result.from {
      configuration.options.eventHandler?(
        .migrated(store: configuration.name, from: from, to: result.catalogue.schemaVersion)
      )
    }
    for values in result.dropped {
      configuration.reporter.send(.droppedValues(store: configuration.name, values))
    }
    return result.catalogue
  }

  /// Performs a change of the schema, and repeats it if another process has changed the store meanwhile.
  ///
  /// - Throws: ``FiefError``, or ``StoreOpening/ConcurrentCreation``.
  private func repeating<Value>(in environment: LMDB.Environment, _ change: () throws -> Value) throws
    -> Value
  {
    while true {
      do { return try change() } catch is ConcurrentMigration {
      } catch is JointPending {
        let side = try StoreOpening.jointSide(environment, configuration.name, isInMemory: false)
        if let side { try JointRecovery.settleMarkers(of: side) }
      } catch let error as StoreOpening.ConcurrentCreation {
        throw error
      } catch {
        // Another process has created the store with a different key, so the key of this process is wrong.
        if let error = error as? LMDBError, error.code == .changedWithoutKey,
          let stored = try StoreOpening.storedCatalogue(in: environment)
        {
          try StoreOpening.checkHeader(environment, of: stored)
        }
        throw FiefError.described(error, store: configuration.name)
      }
    }
  }

  private struct Outcome {
    var catalogue: Catalogue
    /// The former version of the store, or `nil` if it was not migrated.
    var from: UInt64?
    var dropped: [DroppedValues] = []
  }

  /// Thrown if another process has migrated the store, but not to the declared version, after its old trees
  /// were opened.
  private struct ConcurrentMigration: Error {}

  private func migrateOnce(_ environment: LMDB.Environment) throws -> Outcome {
    // The trees are opened before the transaction, so that the old state can be read at the same time.
    let seen = try StoreOpening.storedCatalogue(in: environment)
    if let seen {
      _ = try environment.openDatabases(seen.treeNames, create: false)
      _ = try environment.openDatabase(named: Catalogue.collectionTreeName)
      try makeRoom(in: environment)
    }
    return try migrateWithRenames(environment, seen: seen?.schemaVersion)
  }

  /// Enlarges the map for everything that the migration may write. If the map is too small, the migration
  /// runs again.
  private func makeRoom(in environment: LMDB.Environment) throws {
    let size = try environment.statistics().fileSize
    try environment.reserveMap(size * 3 + 64 << 20)
  }

  /// Runs the migration, and repeats it with the new names whenever its block renames something.
  private func migrateWithRenames(
    _ environment: LMDB.Environment,
    seen: UInt64?
  ) throws -> Outcome {
    var renames: [MigrationRenames] = []
    while true {
      do {
        return try environment.write { transaction in
          let old = try environment.beginRead()
          defer { environment.endRead(old) }
          return try migrate(
            in: transaction,
            old: old,
            seen: seen,
            renames: renames,
            directory: environment.directory
          )
        }
      } catch let restart as MigrationRestart {
        while renames.count <= restart.stage { renames.append(MigrationRenames()) }
        renames[restart.stage] = restart.renames
      }
    }
  }

  private func migrate(
    in transaction: LMDB.WritableTransaction,
    old: LMDB.ReadTransaction,
    seen: UInt64?,
    renames: [MigrationRenames],
    directory: String
  ) throws -> Outcome {
    let tree = try transaction.openDatabase(named: Catalogue.treeName)
    // The journal of another write matches the current trees, so that write must be completed first.
    try JointRows.checkNoMarkers(tree, in: transaction)
    guard let stored = try Catalogue.stored(in: tree, of: transaction) else {
      // Only the very first commit creates the store.
      guard transaction.id == 1 else { throw StoreOpening.noCatalogue }
      return Outcome(catalogue: try makeStore(tree, in: transaction))
    }
    // Another process has created the store or changed its key.
    guard try StoreOpening.isSealedAsStored(tree, in: transaction) else {
      throw StoreOpening.ConcurrentCreation()
    }
    // Another process may have migrated the store since it was inspected.
    if stored.schemaVersion == configuration.schemaVersion,
      SchemaComparison.conflicts(of: configuration.schema, from: stored).isEmpty
    {
      return Outcome(catalogue: stored)
    }
    guard stored.schemaVersion < configuration.schemaVersion else {
      throw migratedMeanwhile(stored)
    }
    guard stored.schemaVersion == seen else { throw ConcurrentMigration() }
    try stored.checkTrees(in: transaction)
    try configuration.migrationPlan?.check(canMigrateFrom: stored.schemaVersion, store: configuration.name)
    let migration = Migration(
      configuration: configuration,
      stored: stored,
      catalogueTree: tree,
      transaction: transaction,
      oldTransaction: old,
      renames: renames,
      directory: directory
    )
    var catalogue = try run(migration)
    try updateUnicodeIndexes(migration, from: stored, to: catalogue, tree, in: transaction)
    catalogue.schemaVersion = configuration.schemaVersion
    catalogue.format = format(in: transaction)
    try write(catalogue, to: tree, in: transaction)
    return Outcome(catalogue: catalogue, from: stored.schemaVersion, dropped: migration.dropped)
  }

  /// Adds the managed types that a product has gained, without objects. The version of the store stays the
  /// same.
  ///
  /// - Returns: the resulting catalogue of the store.
  func addManagedTypes(_ environment: LMDB.Environment) throws -> Catalogue {
    try repeating(in: environment) {
      try makeRoom(in: environment)
      return try environment.write { transaction in
        let tree = try transaction.openDatabase(named: Catalogue.treeName)
        try JointRows.checkNoMarkers(tree, in: transaction)
        guard var catalogue = try Catalogue.stored(in: tree, of: transaction) else {
          throw StoreOpening.noCatalogue
        }
        guard try StoreOpening.isSealedAsStored(tree, in: transaction) else {
          throw StoreOpening.ConcurrentCreation()
        }
        guard catalogue.schemaVersion == configuration.schemaVersion else {
          throw migratedMeanwhile(catalogue)
        }
        // Another process may have added the types.
        let types = SchemaComparison.laterManagedTypes(of: configuration.schema, from: catalogue)
        if types.isEmpty { return catalogue }
        for descriptor in types { try catalogue.add(descriptor) }
        for name in catalogue.treeNames { _ = try transaction.openDatabase(named: name) }
        try write(catalogue, to: tree, in: transaction)
        return catalogue
      }
    }
  }

  private func migratedMeanwhile(_ stored: Catalogue) -> FiefError {
    FiefError(
      .versionTooLow,
      "Another process has migrated the store meanwhile: use the classes of the store's version.",
      store: configuration.name,
      details: [
        "the store's version: \(stored.schemaVersion)",
        "the declared version: \(configuration.schemaVersion)",
      ]
    )
  }

  private func makeStore(_ tree: Database, in transaction: LMDB.WritableTransaction) throws -> Catalogue {
    var catalogue = Catalogue(schemaVersion: configuration.schemaVersion)
    catalogue.format = format(in: transaction)
    if let sealer = transaction.sealing as? StoreSealer {
      try EncryptionHeader.store(sealer.header, tree, in: transaction)
    }
    for descriptor in configuration.schema.descriptors { try catalogue.add(descriptor) }
    // Only a store for a single query may have secret properties without encryption.
    if transaction.sealing == nil { catalogue.removeSecrecy() }
    for name in catalogue.treeNames {
      _ = try transaction.openDatabase(named: name)
    }
    try write(catalogue, to: tree, in: transaction)
    if UnicodeTables.serve(catalogue) {
      try UnicodeTables.store(configuration.unicodeFingerprint, tree, in: transaction)
    }
    return catalogue
  }

  private func format(in transaction: LMDB.Transaction) -> UInt32 {
    transaction.sealing == nil ? Catalogue.currentFormat : Catalogue.encryptedFormat
  }

  private func run(_ migration: Migration) throws -> Catalogue {
    do {
      try configuration.migrationBlock?(migration, migration.oldSchemaVersion)
    } catch {
      // An error that the block throws may be a consequence of an earlier failure.
      throw described(migration.failure ?? error)
    }
    do {
      _ = try migration.currentStage()
      try migration.finishSteps()
    } catch {
      throw described(error)
    }
    return migration.stored
  }

  private func described(_ error: any Error) -> any Error {
    if error is FiefError || error is MigrationRestart || error is LMDBError { return error }
    return FiefError(
      .migrationFailed,
      "The migration block threw an error.",
      store: configuration.name,
      underlying: error
    )
  }

  private func write(_ catalogue: Catalogue, to tree: Database, in transaction: LMDB.WritableTransaction)
    throws
  {
    try Catalogue.key.withUnsafeBytes { key in
      try catalogue.encoded().withUnsafeBytes { try transaction.put(tree, key, $0) }
    }
  }
}
