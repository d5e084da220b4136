import LMDB

/// Brings the data of a store from an old schema version to a new one; it may throw, which leaves the
/// store as it was.
///
/// It runs again from its start where a type or a property is renamed, or where the store outgrows its map:
/// it must change nothing outside of the store that cannot be repeated.
public typealias MigrationBlock = @Sendable (Migration, UInt64) throws -> Void

/// The scope of a migration block: the objects as they are in the store, and as they will be.
///
/// Everything happens in one transaction. The objects are valid inside of the block only.
///
/// A type whose primary key changes keeps its old keys until the block is over. The block assigns the
/// properties of the new key like any others; then each object gets its new key, and all links follow. In the
/// same way, objects that become embedded ones are objects until the block is over.
public final class Migration {
  let configuration: StoreConfiguration
  let writer: RecordWriter
  let temporary: TemporaryTrees
  /// The state before the migration, which is read whatever was rewritten meanwhile.
  let oldTransaction: LMDB.Transaction
  /// The names that types and properties have got, by stages; found in a run before this one.
  let renames: [MigrationRenames]
  let progress: MigrationProgressReporter
  /// The directory of temporary files.
  let directory: String
  /// The version that the store has.
  public let oldSchemaVersion: UInt64
  /// The store as it was before the stage.
  var stored: Catalogue
  /// Every tree that the migration has worked with.
  var treeNames: Set<String>
  /// The schema that the migration works on now; nil before the first use of it.
  var stage: MigrationStage?
  /// The number of stages that have begun.
  var stageCount = 0
  /// The number of records written so far, by which objects know that their copy of a record may be outdated.
  var changeCount = 0
  /// The first error of a step of the block, which cannot throw itself; nothing is done after it.
  var failure: (any Error)?
  /// The values that the stages have dropped.
  var dropped: [DroppedValues] = []
  /// The steps whose stage has not ended.
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

  /// Does a step of the block, unless one before it has failed; the migration then ends with that error.
  ///
  /// Realm's interface does not throw here, and blocks that are written for it have to compile.
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

  /// The stage that the migration is in; that of the declared classes begins with the first use.
  func currentStage() throws -> MigrationStage {
    if let failure { throw failure }
    if let stage { return stage }
    return try decisive { try begin(configuration.schema) }
  }

  /// Does work after whose failure the migration cannot continue, even where the block catches the error.
  func decisive<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      failure = failure ?? error
      throw error
    }
  }

  /// The table of a type in the schema that the migration works on.
  func table(_ name: String) -> Table? { writer.tables[name] }

  func unknownType(_ name: String) -> FiefError {
    FiefError(.unknownType, "The store has no such type.", store: configuration.name, type: name)
  }
}

/// A part of a migration that works on one schema.
final class MigrationStage {
  let schema: DeclaredSchema
  let old: EarlierState
  /// The catalogue before the stage, with the names that the stage gives to types and properties.
  let stored: Catalogue
  var working: WorkingSchema
  /// The types that become embedded whose objects may be without an owner at the end of the stage.
  var unlinkedAllowed: Set<String> = []
  /// The types that objects were moved away from.
  var movedFrom: Set<String> = []
  /// The columns that the block has assigned in objects that were there: the number of the type, and that of the column
  /// in the lower 16 bits.
  var assigned: Set<UInt64> = []
  /// The types without a class whose objects the block has deleted.
  var deletedTypes: Set<String> = []
  /// The columns that the block has read in old objects, as in ``assigned``.
  private var read: Set<UInt64> = []
  /// The properties whose values are not needed.
  var discarded: Set<ValueLoss.Property> = []
  private var defaults: [String: ClassDefaults] = [:]
  /// Objects of classes that were added, by their addresses.
  var copies: [ObjectIdentifier: (object: Object, copy: MigrationObject)] = [:]
  /// Row ids that are reserved, by type.
  var rowIDs: [String: Range<Int64>] = [:]
  /// The running loops over the objects of a type that leave out objects created meanwhile, by type, and the
  /// number of the last of them all.
  var loops: [String: Set<Int>] = [:]
  var lastLoop = 0
  /// The number of objects made of types that have no primary key during the stage.
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

  /// The column of a property of a type of the new schema, by either's name.
  func columnName(_ name: String, of type: String) -> String {
    guard let properties = descriptor(type)?.properties, !properties.contains(where: { $0.column == name })
    else { return name }
    return properties.first { $0.name == name }?.column ?? name
  }

  /// The temporary tree with the keys of objects that were created during a loop.
  static func createdTree(_ loop: Int) -> String { "created:\(loop)" }

  /// Notes an object for the loops over its type.
  func noteCreated(_ name: String, key: [UInt8], in temporary: TemporaryTrees) throws {
    for loop in loops[name] ?? [] {
      let tree = try temporary.tree(Self.createdTree(loop))
      try key.withUnsafeBytes {
        try temporary.transaction.put(tree, $0, UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
  }

  /// The values that a new object has.
  func defaults(of name: String) throws -> ClassDefaults? {
    if let known = defaults[name] { return known }
    guard let descriptor = descriptor(name) else { return nil }
    let made = try ClassDefaults(descriptor)
    if !made.hasGenerated { defaults[name] = made }
    return made
  }

  /// The columns that get a value of their own in each object where none is assigned: those of a primary
  /// key to come.
  func isGenerated(_ column: ColumnEntry, of name: String) -> Bool {
    guard column.type.isGenerated, working.rekeyed.contains(name) else { return false }
    return descriptor(name)?.properties.contains { $0.isPrimaryKey && $0.column == column.name } ?? false
  }
}
