import LMDB

/// A block that brings the data of a store from an old schema version to the declared one. If it throws an
/// error, the store stays unchanged.
///
/// The block restarts when it renames a type or a property, or when the store outgrows its map. It must not
/// have effects outside the store that cannot be repeated.
public typealias MigrationBlock = @Sendable (Migration, UInt64) throws -> Void

/// The scope of a migration block: the old objects in the store, and the new objects.
///
/// ```swift
/// migration.enumerateObjects(ofType: "Person") { old, new in
///   new?["name"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
/// }
/// ```
/// A migration is a single transaction. Its objects are valid only inside the block.
///
/// A type whose primary key changes keeps its old keys until the block has ended. The block assigns the
/// properties of the new key like all others; then each object gets its new key, and all links are updated.
/// In the same way, objects that become embedded remain separate objects until the block has ended.
public final class Migration {
  let configuration: StoreConfiguration
  let writer: RecordWriter
  let temporary: TemporaryTrees
  /// A read transaction with the state before the migration, which stays unchanged when records are
  /// rewritten.
  let oldTransaction: LMDB.Transaction
  /// The new names of types and properties for each stage, from earlier runs of the block.
  let renames: [MigrationRenames]
  let progress: MigrationProgressReporter
  /// The directory for temporary files.
  let directory: String
  /// The schema version of the store before the migration.
  public let oldSchemaVersion: UInt64
  /// The catalogue of the store before the stage.
  var stored: Catalogue
  /// All trees that the migration has used.
  var treeNames: Set<String>
  /// The current stage, or `nil` before the first use.
  var stage: MigrationStage?
  /// The number of stages that have begun.
  var stageCount = 0
  /// The number of changes so far. An object compares it to detect that its copy of a record may be outdated.
  var changeCount = 0
  /// The first error of an operation in the block that could not throw. Later operations do nothing.
  var failure: (any Error)?
  /// The values that the stages have dropped.
  var dropped: [DroppedValues] = []
  /// The steps of stages that have not ended.
  var unfinishedSteps: [any MigrationStep.Type] = []

  init(
    configuration: StoreConfiguration,
    stored: Catalogue,
    catalogueTree: Database,
    transaction: LMDB.WritableTransaction,
    oldTransaction: LMDB.Transaction,
    renames: [MigrationRenames],
    directory: String
  ) {
    self.directory = directory
    self.oldSchemaVersion = stored.schemaVersion
    self.configuration = configuration
    self.stored = stored
    self.treeNames = Set(stored.treeNames)
    self.oldTransaction = oldTransaction
    self.renames = renames
    self.temporary = TemporaryTrees(transaction)
    self.progress = MigrationProgressReporter(configuration, from: stored.schemaVersion)
    let tables = StoreTables(
      storeName: configuration.name,
      catalogueTree: catalogueTree,
      collections: nil,
      all: [],
      clock: configuration.options.clock
    )
    self.writer = RecordWriter(tables: tables, transaction: transaction, collectsChanges: false)
    self.writer.isMigration = true
  }

  /// Performs an operation of the block unless an earlier one has failed. If the operation fails, the
  /// migration ends with its error.
  ///
  /// Realm's interface does not throw here, and blocks written for Realm must compile.
  @discardableResult
  func attempt<Value>(_ fallback: Value, _ step: (MigrationStage) throws -> Value) -> Value {
    guard failure == nil else { return fallback }
    do {
      let value = try step(try currentStage())
      return failure == nil ? value : fallback
    } catch {
      failure = error
      return fallback
    }
  }

  /// Returns the current stage. The stage of the declared classes begins at its first use.
  func currentStage() throws -> MigrationStage {
    if let failure { throw failure }
    if let stage { return stage }
    return try decisive { try begin(configuration.schema) }
  }

  /// Performs work whose failure ends the migration even if the block catches the error.
  func decisive<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      failure = failure ?? error
      throw error
    }
  }

  /// Returns the table of a type in the schema of the current stage.
  func table(_ name: String) -> Table? { writer.tables[name] }

  func unknownType(_ name: String) -> FiefError {
    FiefError(.unknownType, "The store has no such type.", store: configuration.name, type: name)
  }
}

/// A part of a migration that works with one schema.
final class MigrationStage {
  let schema: DeclaredSchema
  let old: EarlierState
  /// The catalogue before the stage, with the names that the stage gives to types and properties.
  let stored: Catalogue
  var working: WorkingSchema
  /// The types that become embedded and whose objects may have no owner at the end of the stage.
  var unlinkedAllowed: Set<String> = []
  /// The types from which objects were moved.
  var movedFrom: Set<String> = []
  /// The columns that the block has assigned in existing objects. Each value combines the id of the type with
  /// the id of the column, in the lower 16 bits.
  var assigned: Set<UInt64> = []
  /// The types without a class whose objects the block has deleted.
  var deletedTypes: Set<String> = []
  /// The columns of old objects that the block has read, encoded like ``assigned``.
  private var read: Set<UInt64> = []
  /// The properties whose values may be discarded.
  var discarded: Set<ValueLoss.Property> = []
  private var defaults: [String: ClassDefaults] = [:]
  /// The application's objects that were added, by their addresses.
  var copies: [ObjectIdentifier: (object: Object, copy: MigrationObject)] = [:]
  /// Reserved row IDs, by type.
  var rowIDs: [String: Range<Int64>] = [:]
  /// The running loops that must skip objects created during the loop, by type, and the number of the last
  /// such loop.
  var loops: [String: Set<Int>] = [:]
  var lastLoop = 0
  /// The number of objects created during the stage in types without a primary key.
  var provisionalKeys: Int64 = 0

  init(schema: DeclaredSchema, old: EarlierState, stored: Catalogue, working: WorkingSchema) {
    self.schema = schema
    self.old = old
    self.stored = stored
    self.working = working
  }

  func noteRead(_ column: UInt16, of type: UInt32) { read.insert(UInt64(type) << 16 | UInt64(column)) }

  func hasRead(_ column: UInt16, of type: UInt32) -> Bool {
    read.contains(UInt64(type) << 16 | UInt64(column))
  }

  func hasRead(anyOf type: UInt32) -> Bool { read.contains { $0 >> 16 == UInt64(type) } }

  func descriptor(_ name: String) -> ObjectDescriptor? { schema.descriptors.first { $0.name == name } }

  /// Returns the column name of a property in the new schema, by the name of the property or the column.
  func columnName(_ name: String, of type: String) -> String {
    guard let properties = descriptor(type)?.properties, !properties.contains(where: { $0.column == name })
    else { return name }
    return properties.first { $0.name == name }?.column ?? name
  }

  /// Returns the name of the temporary tree for the keys of objects created during a loop.
  static func createdTree(_ loop: Int) -> String { "created:\(loop)" }

  /// Records a new object for the running loops over its type.
  func noteCreated(_ name: String, key: [UInt8], in temporary: TemporaryTrees) throws {
    for loop in loops[name] ?? [] {
      let tree = try temporary.tree(Self.createdTree(loop))
      try key.withUnsafeBytes {
        try temporary.transaction.put(tree, $0, UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
  }

  /// Returns the default values of a new object.
  func defaults(of name: String) throws -> ClassDefaults? {
    if let known = defaults[name] { return known }
    guard let descriptor = descriptor(name) else { return nil }
    let made = try ClassDefaults(descriptor)
    if !made.hasGenerated { defaults[name] = made }
    return made
  }

  /// Whether a column gets a different generated value in each object if no value is assigned, which applies
  /// to columns of a new primary key.
  func isGenerated(_ column: ColumnEntry, of name: String) -> Bool {
    guard column.type.isGenerated, working.rekeyed.contains(name) else { return false }
    return descriptor(name)?.properties.contains { $0.isPrimaryKey && $0.column == column.name } ?? false
  }
}
