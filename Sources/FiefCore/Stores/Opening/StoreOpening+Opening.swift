import Dispatch
import LMDB

/// Opens stores: the environment, the catalogue, a migration if one is due, and the tables.
extension StoreOpening {
  /// - Parameter unlocked: the sealer of the seed from which the store was copied.
  package static func open(
    _ configuration: StoreConfiguration,
    directory: String,
    isInMemory: Bool,
    unlocked: UnlockedSealer? = nil
  ) throws -> OpenedStore {
    var options = configuration.options.environment
    if isInMemory || !configuration.isSynchronized {
      options.durability = .none
      options.reservedBytes = 0
    }
    options.maxDatabases = maximumTrees(of: configuration)
    try configuration.migrationPlan?.check(leadsTo: configuration.schemaVersion, store: configuration.name)
    while true {
      let environment = try openEnvironment(directory, options)
      do {
        try unlock(
          environment,
          configuration.options.encryption,
          store: configuration.name,
          mayBeClear: configuration.encryptsClearStore,
          unlocked: unlocked
        )
        let stored = try readCatalogue(in: environment)
        if let stored { try checkHeader(environment, of: stored.value) }
        let trees = stored.map { treesOfMigration(of: $0.value, to: configuration) } ?? 0
        if trees <= options.maxDatabases {
          return try open(configuration, environment, stored, directory: directory, isInMemory: isInMemory)
        }
        options.maxDatabases = trees
      } catch is ConcurrentCreation {
        // The environment has the data keys of a header that differs from the store's header.
      } catch {
        environment.close()
        throw error
      }
      environment.close()
    }
  }

  private static func openEnvironment(_ directory: String, _ options: EnvironmentOptions) throws
    -> LMDB.Environment
  {
    do { return try LMDB.Environment.open(directory: directory, options: options) } catch {
      if error.code == .notFound { throw noStore(directory, error) }
      throw error
    }
  }

  private static func open(
    _ configuration: StoreConfiguration,
    _ environment: LMDB.Environment,
    _ stored: StoredCatalogue?,
    directory: String,
    isInMemory: Bool
  ) throws -> OpenedStore {
    if stored != nil, !configuration.options.isReadOnly {
      UnnamedFile.removeAbandoned(in: directory)
      try settle(environment, configuration, isInMemory: isInMemory)
    }
    var catalogue: Catalogue
    if let stored = stored?.value, try isCurrent(stored, configuration) {
      catalogue = stored
    } else {
      if let stored = stored?.value,
        let reason = whyNotMigrated(configuration.options, isInMemory: isInMemory)
      {
        throw FiefError(
          .migrationRequired,
          reason,
          store: configuration.name,
          details: [
            "the store's version: \(stored.schemaVersion)",
            "the declared version: \(configuration.schemaVersion)",
          ] + SchemaComparison.differences(of: configuration.schema, from: stored).map(\.description)
        )
      }
      // A directory without a catalogue is not a store yet, and a read-only open does not create one.
      if configuration.options.isReadOnly { throw noStore(directory) }
      if stored != nil, let encryption = configuration.options.encryption, environment.sealing == nil,
        configuration.schema.hasSecrets
      {
        // Only an encrypted store can have secret keys.
        try encrypt(environment, with: encryption, store: configuration.name)
      }
      catalogue = try Migrator(configuration: configuration).migrate(environment)
    }
    if !configuration.options.isReadOnly,
      !SchemaComparison.laterManagedTypes(of: configuration.schema, from: catalogue).isEmpty
    {
      catalogue = try Migrator(configuration: configuration).addManagedTypes(environment)
    }
    if let encryption = configuration.options.encryption, environment.sealing == nil,
      !configuration.options.isReadOnly
    {
      // This happens after the store was settled and migrated, because a copy has no journal and contains
      // records of the newest format.
      try encrypt(environment, with: encryption, store: configuration.name)
      catalogue.format = Catalogue.encryptedFormat
    }
    let hasIndexes = try bringUnicodeIndexesUpToDate(of: catalogue, configuration, environment)
    let tables = try openTrees(
      of: catalogue,
      store: configuration.name,
      in: environment,
      usesUnicodeIndexes: hasIndexes,
      clock: configuration.options.clock
    )
    return OpenedStore(
      name: configuration.name,
      directory: directory,
      isInMemory: isInMemory,
      isReadOnly: configuration.options.isReadOnly,
      isSynchronized: !isInMemory && configuration.isSynchronized,
      environment: environment,
      catalogue: catalogue,
      tables: tables,
      schema: configuration.schema,
      queueLimits: WriteQueueLimits(
        maximumPending: configuration.options.maximumPendingWrites,
        maximumPendingBytes: configuration.options.maximumPendingBytes,
        maximumLeftBytes: configuration.options.maximumWaitingBytes
      ),
      sortMemory: max(1 << 12, configuration.options.maximumSortBytes),
      reinsertsDeletedObjects: configuration.options.reinsertsDeletedObjects,
      observesLinkedObjects: configuration.options.observesLinkedObjects,
      reporter: configuration.reporter,
      slowness: configuration.options.slowness,
      ledger: try ledger(of: configuration, tables, environment),
      completions: OpenedStore.Completions(queue: configuration.options.completionQueue),
      intervalClock: configuration.options.givenClock.map { IntervalClock($0) } ?? .system,
      unicodeFingerprint: hasIndexes && UnicodeTables.serve(catalogue)
        ? configuration.unicodeFingerprint : nil
    )
  }

  /// Returns the usage that the store keeps, or `nil` if it keeps no usage. Damaged usage starts again at
  /// zero, and the damage is reported.
  private static func ledger(
    of configuration: StoreConfiguration,
    _ tables: StoreTables,
    _ environment: LMDB.Environment
  ) throws -> UsageLedger? {
    let options = configuration.options
    guard options.keepsUsage || !options.budgets.isEmpty else { return nil }
    var kept = UsageRecord()
    do {
      kept = try environment.read { try UsageRecord.stored(tables.catalogueTree, in: $0) } ?? kept
    } catch let error as FiefError {
      configuration.reporter.report(error, type: nil, property: nil)
    }
    return UsageLedger(store: configuration.name, options, kept: kept)
  }

  /// - Returns: whether the indexes that depend on Unicode tables can be used. A store that is opened
  ///   read-only cannot be adapted to the tables of this process.
  private static func bringUnicodeIndexesUpToDate(
    of catalogue: Catalogue,
    _ configuration: StoreConfiguration,
    _ environment: LMDB.Environment
  ) throws -> Bool {
    guard UnicodeTables.serve(catalogue) else { return true }
    let isCurrent = try environment.read { transaction in
      guard let tree = try transaction.database(named: Catalogue.treeName) else { return true }
      return try UnicodeTables.isStored(configuration.unicodeFingerprint, tree, in: transaction)
    }
    if isCurrent { return true }
    if configuration.options.isReadOnly { return false }
    try Migrator(configuration: configuration).rebuildUnicodeIndexes(of: catalogue, environment)
    return true
  }

  /// Returns the reason why a store that needs a migration is not migrated, or `nil` if it is.
  private static func whyNotMigrated(_ options: StoreOptions, isInMemory: Bool) -> String? {
    if options.isReadOnly { return "The store needs a migration but was opened for reading only." }
    if options.deletesIfMigrationNeeded { return "The store needs a migration and is deleted instead." }
    if !options.migratesOnOpen, !isInMemory {
      return
        "The store needs a migration, but opening it does not migrate it (migratesOnOpen is false): run the "
        + "migration runner before this program."
    }
    return nil
  }

  /// Whether the store can be opened without a migration.
  ///
  /// - Throws: ``FiefError`` if the store needs a migration that the declared version does not allow.
  private static func isCurrent(_ stored: Catalogue, _ configuration: StoreConfiguration) throws -> Bool {
    if stored.schemaVersion < configuration.schemaVersion { return false }
    if stored.schemaVersion > configuration.schemaVersion {
      throw FiefError(
        .versionTooLow,
        "The store has a higher schema version than the repository declares.",
        store: configuration.name,
        details: [
          "the store's version: \(stored.schemaVersion)",
          "the declared version: \(configuration.schemaVersion)",
        ]
          + SchemaComparison.differences(of: configuration.schema, from: stored).map(\.description)
      )
    }
    let differences = SchemaComparison.conflicts(of: configuration.schema, from: stored)
    guard differences.isEmpty else {
      throw FiefError(
        .migrationRequired,
        "The declared classes differ from the store's, but the schema version is the same; raise it.",
        store: configuration.name,
        details: differences.map(\.description)
          + SchemaComparison.removals(of: configuration.schema, from: stored).map(\.values.warning)
      )
    }
    return true
  }
}

extension StoreOpening {
  static func maximumTrees(of configuration: StoreConfiguration) -> Int {
    var declared = 0
    for descriptor in configuration.schema.descriptors {
      declared += 1 + descriptor.properties.count + descriptor.indexes.count
    }
    // A migration uses the trees of several schemas at once, and temporary trees. Each transaction has 49
    // bytes for each tree, which LMDB clears when it creates the transaction.
    return declared * 4 + 64
  }

  /// Returns an estimate of the number of trees that a migration may open, including the trees of the old
  /// schema, or 0 if no migration is due.
  static func treesOfMigration(of stored: Catalogue, to configuration: StoreConfiguration) -> Int {
    if stored.schemaVersion >= configuration.schemaVersion { return 0 }
    var trees = stored.types.reduce(0) { $0 + $1.treeNames.count } * 2
    for step in configuration.migrationPlan?.steps(after: stored.schemaVersion) ?? [] {
      for type in step.objectTypes ?? [] {
        let descriptor = ObjectDescriptor.of(type)
        trees += (descriptor.properties.count + descriptor.indexes.count) * 2 + 2
      }
    }
    return trees + maximumTrees(of: configuration)
  }
}
