import LMDB

/// An object in a migration: its values by the names of the properties, without its class.
///
/// It is valid in the migration block only. Properties are named as their columns are, those of a new object also
/// as the class has them: `object["name"]`, or `object.name` where the class here has no member of that name.
@dynamicMemberLookup
public final class MigrationObject {
  enum State {
    case stored
    /// Made, and not written yet.
    case added
    case deleted
  }

  /// The name of the object's type.
  public let typeName: String
  /// The object's key in the store; that of an embedded object is empty. In a type whose primary key changes it
  /// is the old key until the block is over.
  public let key: ObjectKey
  let migration: Migration
  /// The state that an old object was read from; nil for a new one.
  let old: EarlierState?
  var state = State.stored
  /// Whether each assignment is written at once; not in a loop over all objects, which does that itself.
  var writesAtOnce = true
  /// Assigned values that are not written yet, by columns.
  var assigned: [UInt16: [UInt8]?] = [:]
  /// The object, and the property of it, that this embedded one was read from.
  var owner: (object: MigrationObject, property: String)?
  /// The number of objects that an embedded one is inside of.
  var depth = 0
  /// The number of the stage that the object belongs to.
  private let stageNumber: Int
  private let isEmbedded: Bool
  private var record: [UInt8]
  /// The count of changes when the record was read.
  private var recordAge: Int
  private let oldTable: Table?

  init(
    _ migration: Migration,
    table: Table,
    key: [UInt8]?,
    record: [UInt8],
    old: EarlierState?
  ) throws {
    self.migration = migration
    self.stageNumber = migration.stageCount
    self.typeName = table.name
    self.key = ObjectKey(bytes: key ?? [])
    self.record = record
    self.recordAge = migration.changeCount
    self.old = old
    self.oldTable = old == nil ? nil : table
    self.isEmbedded = key == nil
    try record.withUnsafeBytes {
      let view = try table.view($0)
      try key?.withUnsafeBytes { try view.verifyChecksum($0, of: table) }
    }
  }

  /// Makes the stand-in for an object that could not be made; the migration has failed with it.
  init(failedIn migration: Migration, typeName: String) {
    self.migration = migration
    self.stageNumber = migration.stageCount
    self.typeName = typeName
    self.key = ObjectKey(bytes: [])
    self.record = []
    self.recordAge = 0
    self.old = nil
    self.oldTable = nil
    self.isEmbedded = false
    self.state = .deleted
  }

  /// Whether the object is one from before the migration, which cannot be changed.
  public var isOld: Bool { old != nil }

  /// Whether the object was deleted in the migration, or moved to another type.
  public internal(set) var isDeleted: Bool {
    get { state == .deleted }
    set { state = newValue ? .deleted : .stored }
  }

  /// The names of the object's properties.
  public var propertyNames: [String] {
    table?.entry.currentColumns.filter { !WorkingSchema.isPending($0) }.map(\.name) ?? []
  }

  /// The value of a property: a scalar, an array, a dictionary, or another object of a migration for a link or
  /// an embedded object; nil for nil and for a link that leads nowhere.
  ///
  /// Integers are `Int`, values of enumerations are their raw values. A property of a new object can be
  /// assigned:
  /// - a scalar; an integer of any type that fits, an enumeration or a value of a custom type, which are stored as in an
  ///   object of the class;
  /// - a list or a set from an array or another sequence, a map from a dictionary with keys of type `String`;
  /// - a link from a ``MigrationObject``, old or new, or from the primary key of an object that exists; one
  ///   to an object that is deleted by the time it is written becomes nil. Also from an ``Object`` that is in
  ///   no store: it is added with the objects that it links, once in a migration;
  /// - an embedded object from a dictionary, which gives the others the defaults of the class, from an
  ///   ``EmbeddedObject``, or from a ``MigrationObject`` of the same type. An assignment to an embedded
  ///   object that was read from a property changes its owner; one from a collection is assigned with the
  ///   collection.
  ///
  /// The primary key too can be assigned: all objects of the type then get new keys when the block is
  /// over, and links follow. A value of a wrong type, or an unknown property, ends the migration with an error.
  public subscript(name: String) -> Any? {
    get { migration.attempt(nil) { _ in try value(of: name) } }
    set { migration.attempt(()) { _ in try set(newValue, name) } }
  }

  /// The value of a property, as ``subscript(_:)`` has it.
  public subscript(dynamicMember name: String) -> Any? {
    get { self[name] }
    set { self[name] = newValue }
  }

  /// The table of the object's type, in the schema that the object belongs to.
  var table: Table? { oldTable ?? migration.table(typeName) }

  /// The key in an error.
  private var keyText: String { table?.text(ofKey: key.bytes) ?? key.description }

  func existingTable() throws -> Table {
    guard let table else { throw migration.unknownType(typeName) }
    return table
  }

  func conversion(for name: String) -> ValueConversion {
    var conversion = migration.conversion(type: typeName, property: name)
    conversion.key = keyText
    return conversion
  }

  func column(_ name: String) throws -> ColumnEntry {
    let entry = try existingTable().entry
    guard let column = try entry.column(named: name) ?? declaredColumn(name, entry),
      !WorkingSchema.isPending(column)
    else {
      throw conversion(for: name).error(.unknownProperty, "The type has no such property.")
    }
    return column
  }

  /// The column of a property that is named otherwise in the class.
  private func declaredColumn(_ name: String, _ entry: TypeEntry) throws -> ColumnEntry? {
    if isOld { return nil }
    let column = try migration.currentStage().columnName(name, of: typeName)
    return column == name ? nil : entry.column(named: column)
  }

  /// - Throws: ``FiefError`` of code `migrationFailed` where the object is one of an earlier stage: since then
  ///   others may have got its key.
  func checkStage() throws {
    guard stageNumber != migration.stageCount else { return }
    throw FiefError(
      .migrationFailed,
      "An object of one step with classes of its own cannot be used in a later one.",
      store: migration.configuration.name,
      type: typeName,
      key: keyText
    )
  }

  func checkIsTopLevel() throws {
    try checkStage()
    if isEmbedded { throw migration.embeddedType(typeName) }
    if isDeleted {
      throw FiefError(
        .objectNotFound,
        "The object was deleted in the migration.",
        store: migration.configuration.name,
        type: typeName,
        key: keyText
      )
    }
  }

  /// The object's record as it is now; nil where the object is gone.
  func currentRecord() throws -> [UInt8]? {
    guard old == nil, !isEmbedded, state == .stored, recordAge != migration.changeCount else { return record }
    guard let records = try existingTable().records else { return record }
    let found = try key.bytes.withUnsafeBytes { try migration.writer.transaction.get(records, $0) }
    guard let found else {
      state = .deleted
      return nil
    }
    record = try migration.expanded([UInt8](found), try existingTable())
    recordAge = migration.changeCount
    return record
  }

  /// Notes the record that was just written.
  func didWrite(_ new: [UInt8]) {
    record = new
    migration.changeCount &+= 1
    recordAge = migration.changeCount
    assigned = [:]
    state = .stored
  }

  /// The key's bytes; nil for an embedded object.
  var keyBytes: [UInt8]? { isEmbedded ? nil : key.bytes }
}
