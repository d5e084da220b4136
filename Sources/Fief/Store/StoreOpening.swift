import LMDB

/// What opening a store gives, before there is a ``StoreCore``.
struct OpenedStore {
  let name: String
  let directory: String
  let isInMemory: Bool
  let isReadOnly: Bool
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
    options.maxDatabases = maximumTrees(of: configuration.schema)
    let environment = try LMDB.Environment.open(directory: directory, options: options)
    do {
      return try open(configuration, environment, directory: directory, isInMemory: isInMemory)
    } catch {
      environment.close()
      throw error
    }
  }

  private static func open(
    _ configuration: StoreConfiguration,
    _ environment: LMDB.Environment,
    directory: String,
    isInMemory: Bool
  ) throws -> OpenedStore {
    let stored = try storedCatalogue(in: environment)
    let catalogue: Catalogue
    if let stored, try isCurrent(stored, configuration) {
      catalogue = stored
    } else {
      if configuration.options.isReadOnly {
        throw FiefError(
          .migrationRequired,
          "The store needs a migration and was opened for reading only.",
          store: configuration.name
        )
      }
      catalogue = try Migrator(configuration: configuration).migrate(environment)
    }
    return OpenedStore(
      name: configuration.name,
      directory: directory,
      isInMemory: isInMemory,
      isReadOnly: configuration.options.isReadOnly,
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

  private static func maximumTrees(of schema: DeclaredSchema) -> Int {
    let declared = schema.descriptors.reduce(0) { $0 + 1 + $1.properties.count }
    return max(256, declared * 2 + 64)
  }

  /// The handles of a catalogue's trees, in a transaction that may have just made them.
  static func openTrees(
    of catalogue: Catalogue,
    store: String,
    in environment: LMDB.Environment
  ) throws -> StoreTables {
    let names = [catalogueTree] + catalogue.types.flatMap(treeNames)
    let handles = try environment.openDatabases(names, create: false)
    for (name, handle) in zip(names, handles) where handle == nil {
      throw FiefError(.damagedStore, "A tree that the catalogue names is missing.", details: [name])
    }
    guard let tree = handles.first ?? nil else { throw Catalogue.damaged }
    // The names of a type's trees are next to each other, in the order of the types.
    var next = 1
    return StoreTables(
      storeName: store,
      catalogueTree: tree,
      all: catalogue.types.map { entry in
        let own = names[next..<(next + treeNames(of: entry).count)]
        next = own.endIndex
        return table(for: entry) { own.firstIndex(of: $0).flatMap { handles[$0] } }
      }
    )
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

  static func table(for entry: TypeEntry, handle: (String) -> Database?) -> Table {
    guard !entry.isEmbedded else { return Table(entry: entry, records: nil, indexes: [], links: []) }
    let indexes = entry.currentColumns.filter(\.isIndexed).compactMap { column in
      handle(column.indexTree(of: entry)).map { Table.Index(column: column, database: $0) }
    }
    let links = entry.currentColumns.filter(\.type.isLink).compactMap { column in
      handle(column.backlinkTree(of: entry)).map { Table.LinkColumn(column: column, backlinks: $0) }
    }
    return Table(entry: entry, records: handle(entry.tree), indexes: indexes, links: links)
  }
}
