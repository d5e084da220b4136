import LMDB

/// An object in a migration. It gives access to its values by property name, without its class.
///
/// It is valid only in the migration block. The names of properties are the names of their columns; a new
/// object also accepts the property names of its class. Read a property with `object["name"]`, or with
/// `object.name` if `MigrationObject` has no member of that name.
@dynamicMemberLookup
public final class MigrationObject {
  enum State {
    case stored
    /// Created, and not written yet.
    case added
    case deleted
  }

  /// The name of the object's type.
  public let typeName: String
  /// The object's key in the store. The key of an embedded object is empty. In a type whose primary key
  /// changes, this is the old key until the block is over.
  public let key: ObjectKey
  let migration: Migration
  /// The state from which an old object was read, or `nil` for a new object.
  let old: EarlierState?
  var state = State.stored
  /// Whether each assignment is written immediately. It is false in a loop over all objects, which writes
  /// each object itself.
  var writesAtOnce = true
  /// The assigned values that are not written yet, by column.
  var assigned: [UInt16: [UInt8]?] = [:]
  /// The object and the property from which this embedded object was read.
  var owner: (object: MigrationObject, property: String)?
  /// The number of objects around an embedded object.
  var depth = 0
  /// The number of the stage to which the object belongs.
  private let stageNumber: Int
  private let isEmbedded: Bool
  private var record: [UInt8]
  /// The migration's number of changes when the record was read.
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

  /// Creates a placeholder for an object that could not be created. The migration has already failed.
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

  /// A Boolean value that indicates whether the object has the state from before the migration, which cannot
  /// be changed.
  public var isOld: Bool { old != nil }

  /// A Boolean value that indicates whether the object was deleted in the migration or moved to another type.
  public internal(set) var isDeleted: Bool {
    get { state == .deleted }
    set { state = newValue ? .deleted : .stored }
  }

  /// The names of the object's properties.
  public var propertyNames: [String] {
    table?.entry.currentColumns.filter { !WorkingSchema.isPending($0) }.map(\.name) ?? []
  }

  /// The value of a property: a scalar, an array, a dictionary, or another object of the migration for a link
  /// or an embedded object. It is `nil` for nil and for a link to a missing object.
  ///
  /// Integers are returned as `Int`, and values of enumerations as their raw values. You can assign these
  /// values to a property of a new object:
  /// - a scalar: an integer of any type whose value fits, an enumeration or a value of a custom type, which
  ///   are stored as in an object of the class;
  /// - for a list or a set, an array or another sequence; for a map, a dictionary with keys of type `String`;
  /// - for a link, a ``MigrationObject``, old or new, or the primary key of an existing object. The link
  ///   becomes nil if its object is deleted before the link is written. You can also assign an ``Object``
  ///   that is not in a store: it is added with the objects to which it links, once in a migration;
  /// - for an embedded object, a dictionary, whose missing properties get the defaults of the class, an
  ///   ``EmbeddedObject``, or a ``MigrationObject`` of the same type. Assigning to an embedded object that
  ///   was read from a property changes its owner. An embedded object from a collection is assigned together
  ///   with the collection.
  ///
  /// You can also assign the primary key: after the block, all objects of the type get new keys, and links
  /// are updated. An invalid value or an unknown property ends the migration with an error.
  public subscript(name: String) -> Any? {
    get { migration.attempt(nil) { _ in try value(of: name) } }
    set { migration.attempt(()) { _ in try set(newValue, name) } }
  }

  /// The value of a property; see ``subscript(_:)``.
  public subscript(dynamicMember name: String) -> Any? {
    get { self[name] }
    set { self[name] = newValue }
  }

  /// The table of the object's type in the schema to which the object belongs.
  var table: Table? { oldTable ?? migration.table(typeName) }

  /// The key as text, for errors.
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

  /// Returns the column of a property whose name in the class differs from the column name.
  private func declaredColumn(_ name: String, _ entry: TypeEntry) throws -> ColumnEntry? {
    if isOld { return nil }
    let column = try migration.currentStage().columnName(name, of: typeName)
    return column == name ? nil : entry.column(named: column)
  }

  /// - Throws: ``FiefError`` of code `migrationFailed` if the object belongs to an earlier stage, because
  ///   another object may have its key now.
  func checkStage() throws {
    guard stageNumber != migration.stageCount else { return }
    throw FiefError(
      .migrationFailed,
      "An object of a step with its own classes cannot be used in a later step.",
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
        "The migration deleted the object.",
        store: migration.configuration.name,
        type: typeName,
        key: keyText
      )
    }
  }

  /// Returns the object's current record, or `nil` if the object was deleted.
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

  /// Records that a new record was written.
  func didWrite(_ new: [UInt8]) {
    record = new
    migration.changeCount &+= 1
    recordAge = migration.changeCount
    assigned = [:]
    state = .stored
  }

  /// The key's bytes, or `nil` for an embedded object.
  var keyBytes: [UInt8]? { isEmbedded ? nil : key.bytes }
}
