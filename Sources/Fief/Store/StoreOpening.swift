import LMDB

/// What opening a store gives, before there is a ``StoreCore``.
struct OpenedStore {
  let name: String
  let directory: String
  let isInMemory: Bool
  let isReadOnly: Bool
  /// Whether commits are marked as such on the disk.
  let isSynchronized: Bool
  let environment: LMDB.Environment
  let catalogue: Catalogue
  let tables: StoreTables
  let descriptors: [ObjectDescriptor]
  let queueLimits: WriteQueueLimits
  let eventHandler: (@Sendable (StoreEvent) -> Void)?
}

/// Opens stores: the environment, the catalogue, the migration where one is due, the tables.
enum StoreOpening {
  static let catalogueTree = "fief:catalogue"
  static let catalogueKey = Array("catalogue".utf8)

  static func open(_ configuration: StoreConfiguration, directory: String, isInMemory: Bool) throws
    -> OpenedStore
  {
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
        let stored = try storedCatalogue(in: environment)
        let trees = stored.map { treesOfMigration(of: $0, to: configuration) } ?? 0
        if trees <= options.maxDatabases {
          return try open(configuration, environment, stored, directory: directory, isInMemory: isInMemory)
        }
        options.maxDatabases = trees
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
    _ stored: Catalogue?,
    directory: String,
    isInMemory: Bool
  ) throws -> OpenedStore {
    let catalogue: Catalogue
    if let stored, try isCurrent(stored, configuration) {
      catalogue = stored
    } else {
      if let stored, let reason = whyNotMigrated(configuration.options) {
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
      // What has no catalogue is no store yet, and one for reading only is not made.
      if configuration.options.isReadOnly { throw noStore(directory) }
      catalogue = try Migrator(configuration: configuration).migrate(environment)
    }
    return OpenedStore(
      name: configuration.name,
      directory: directory,
      isInMemory: isInMemory,
      isReadOnly: configuration.options.isReadOnly,
      isSynchronized: !isInMemory && configuration.isSynchronized,
      environment: environment,
      catalogue: catalogue,
      tables: try openTrees(of: catalogue, store: configuration.name, in: environment),
      descriptors: configuration.schema.descriptors,
      queueLimits: WriteQueueLimits(
        maximumPending: configuration.options.maximumPendingWrites,
        maximumPendingBytes: configuration.options.maximumPendingBytes
      ),
      eventHandler: configuration.options.eventHandler
    )
  }

  /// Why a store that needs a migration does not get one; nil where it does.
  private static func whyNotMigrated(_ options: StoreOptions) -> String? {
    if options.isReadOnly { return "The store needs a migration and was opened for reading only." }
    if options.deletesIfMigrationNeeded { return "The store needs a migration and is deleted instead." }
    return nil
  }

  /// The catalogue of a store, nil where there is none yet.
  static func storedCatalogue(in environment: LMDB.Environment) throws -> Catalogue? {
    try environment.read { transaction in
      guard let tree = try transaction.database(named: catalogueTree) else {
        guard try transaction.databaseNames().isEmpty else {
          throw FiefError(
            .damagedStore,
            "The LMDB environment is not one of this library's: it has no catalogue."
          )
        }
        return nil
      }
      return try catalogueKey.withUnsafeBytes { key in
        guard let bytes = try transaction.get(tree, key) else { throw Catalogue.damaged }
        return try Catalogue.decode(bytes)
      }
    }
  }

  /// Whether the store can be opened as it is.
  ///
  /// - Throws: ``FiefError`` where it needs a migration that the declared version does not allow.
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
    let differences = SchemaComparison.differences(of: configuration.schema, from: stored)
    guard differences.isEmpty else {
      throw FiefError(
        .migrationRequired,
        "The declared classes differ from the store's and the schema version is the same; raise the version.",
        store: configuration.name,
        details: differences.map(\.description)
      )
    }
    return true
  }

  private static func maximumTrees(of configuration: StoreConfiguration) -> Int {
    var declared = 0
    for descriptor in configuration.schema.descriptors { declared += 1 + descriptor.properties.count }
    // Migrations have the trees of several schemas at once, and temporary ones.
    return max(256, declared * 4 + 64)
  }

  /// How many trees a migration may have to have open, those of the old schema too, whose number nobody knows
  /// before; 0 where none is due.
  private static func treesOfMigration(of stored: Catalogue, to configuration: StoreConfiguration) -> Int {
    if stored.schemaVersion >= configuration.schemaVersion { return 0 }
    var trees = stored.types.reduce(0) { $0 + treeNames(of: $1).count } * 2
    for step in configuration.migrationPlan?.steps(after: stored.schemaVersion) ?? [] {
      for type in step.objectTypes ?? [] { trees += ObjectDescriptor.of(type).properties.count * 2 + 2 }
    }
    return trees + maximumTrees(of: configuration)
  }

  /// The handles of a catalogue's trees, in a transaction that may have just made them.
  static func openTrees(
    of catalogue: Catalogue,
    store: String,
    in environment: LMDB.Environment
  ) throws -> StoreTables {
    // One after the other: the environment has opened them all with itself, as a rule, and the runtime would
    // have to make the storage of an array of handles that may be missing.
    func tree(_ name: String) throws -> Database {
      if let database = try environment.openDatabase(named: name) { return database }
      throw FiefError(.damagedStore, "A tree that the catalogue names is missing.", details: [name])
    }
    let catalogueTree = try tree(catalogueTree)
    var all: [Table] = []
    for entry in catalogue.types { all.append(try table(for: entry) { try tree($0) }) }
    return StoreTables(storeName: store, catalogueTree: catalogueTree, all: all)
  }

  static func treeNames(of entry: TypeEntry) -> [String] {
    guard !entry.isEmbedded else { return [] }
    var names = [entry.tree]
    for column in entry.currentColumns {
      if column.isIndexed { names.append(column.indexTree(of: entry)) }
      if column.type.isLink { names.append(column.backlinkTree(of: entry)) }
    }
    return names
  }

  /// - Parameter formerKey: the columns of the primary key before, while a migration changes it.
  static func table(
    for entry: TypeEntry,
    formerKey: [ColumnEntry] = [],
    handle: (String) throws -> Database?
  ) rethrows -> Table {
    guard !entry.isEmbedded else { return Table(entry: entry, records: nil, indexes: [], links: []) }
    var indexes: [Table.Index] = []
    var links: [Table.LinkColumn] = []
    // By their indexes, as in `Layout`.
    for index in entry.columns.indices where !entry.columns[index].isDropped {
      let column = entry.columns[index]
      if column.isIndexed, let tree = try handle(column.indexTree(of: entry)) {
        indexes.append(Table.Index(column: column, database: tree))
      }
      if column.type.isLink, let tree = try handle(column.backlinkTree(of: entry)) {
        links.append(Table.LinkColumn(column: column, backlinks: tree))
      }
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
