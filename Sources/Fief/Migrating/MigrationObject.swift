import LMDB

/// An object in a migration: its values by the names of the properties, without its class.
public final class MigrationObject {
  /// The name of the object's type.
  public let typeName: String
  /// The object's key in the store.
  public let key: ObjectKey
  private let migration: Migration
  private let table: Table
  private let record: [UInt8]
  private let isNew: Bool
  private var assigned: [UInt16: [UInt8]?] = [:]
  private var isAdded = false
  /// Whether a new object is in the store, so that what is assigned from then on has to be written.
  private var isStored = false
  var isDeleted = false

  init(_ migration: Migration, table: Table, key: [UInt8], record: [UInt8], isNew: Bool) throws {
    self.migration = migration
    self.table = table
    self.typeName = table.name
    self.key = ObjectKey(bytes: key)
    self.record = record
    self.isNew = isNew
    try record.withUnsafeBytes { try table.view($0).verifyChecksum() }
  }

  /// What stands for an object that could not be made; the migration has failed with it.
  init(failedIn migration: Migration, typeName: String) {
    self.migration = migration
    self.typeName = typeName
    let entry = TypeEntry(
      id: 0,
      name: typeName,
      isEmbedded: false,
      tree: "",
      columns: [],
      primaryKey: [],
      layouts: [[]],
      nextColumnID: 1
    )
    self.table = Table(entry: entry, records: nil, indexes: [], links: [])
    self.key = ObjectKey(bytes: [])
    self.record = []
    self.isNew = true
    self.isDeleted = true
  }

  /// The value of a property: a scalar, an array, a dictionary, or the object that a link leads to; nil
  /// for nil and for a property that the type does not have.
  ///
  /// Assigning works on new objects. A value of a wrong type, or an unknown property, ends the migration
  /// with an error.
  public subscript(name: String) -> Any? {
    get {
      do { return try value(of: name) } catch {
        migration.failure = migration.failure ?? error
        return nil
      }
    }
    set {
      do { try set(newValue, name) } catch { migration.failure = migration.failure ?? error }
    }
  }

  /// The value of a property as a Swift type.
  ///
  /// - Throws: ``FiefError`` where the property does not exist or the value is nil or of another type.
  public func value<Value>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
    let value = try value(of: name)
    guard let result = value as? Value else {
      throw conversion(for: name).wrongType(value as Any, expected: "\(type)")
    }
    return result
  }

  private func conversion(for name: String) -> ValueConversion {
    var conversion = ValueConversion()
    conversion.store = migration.configuration.name
    conversion.type = typeName
    conversion.property = name
    conversion.key = key.description
    return conversion
  }

  private func column(_ name: String) throws -> ColumnEntry {
    guard let column = table.entry.column(named: name) else {
      throw conversion(for: name).error(.unknownProperty, "The type has no such property.")
    }
    return column
  }

  private func value(of name: String) throws -> Any? {
    let column = try column(name)
    if let part = table.primaryKey.firstIndex(where: { $0.id == column.id }) {
      return try keyPart(part, column)
    }
    var result: Any?
    if let assigned = assigned[column.id] {
      guard let assigned else { return nil }
      result = try assigned.withUnsafeBytes { try DynamicPayload.value($0, type: column.type) }
    } else {
      try record.withUnsafeBytes { bytes in
        let view = try table.view(bytes)
        try table.payload(of: column, in: view) { result = try DynamicPayload.value($0, type: column.type) }
      }
    }
    if let link = result as? DynamicPayload.Link { return try target(of: link) }
    return result
  }

  private func keyPart(_ part: Int, _ column: ColumnEntry) throws -> Any? {
    try key.bytes.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      for _ in 0..<part { try decoder.skip() }
      var writer = ValueWriter()
      guard try KeyCoding.appendPayload(from: &decoder, kind: column.type.kind, to: &writer) else {
        return nil
      }
      return try writer.bytes.withUnsafeBytes { try DynamicPayload.value($0, type: column.type) }
    }
  }

  private func target(of link: DynamicPayload.Link) throws -> MigrationObject? {
    let tables = isNew ? migration.new : migration.old
    guard let table = tables[link.type], let records = table.records else { return nil }
    return try link.key.bytes.withUnsafeBytes { key in
      let transaction = isNew ? migration.writer.transaction : migration.oldTransaction
      guard let record = try transaction.get(records, key) else { return nil }
      return try MigrationObject(
        migration,
        table: table,
        key: link.key.bytes,
        record: [UInt8](record),
        isNew: false
      )
    }
  }

  private func set(_ value: Any?, _ name: String) throws {
    let column = try column(name)
    guard isNew else { throw conversion(for: name).error(.invalidValue, "The old object cannot be changed.") }
    guard !table.entry.primaryKey.contains(column.id) else {
      throw conversion(for: name).error(
        .invalidValue,
        "A primary key cannot be assigned; create a new object and delete this one."
      )
    }
    assigned[column.id] = .some(try DynamicPayload.payload(value, type: column.type, conversion(for: name)))
    if isStored { try write() }
  }

  /// Writes the object in the layout of the new schema, if it is not so already.
  func write() throws {
    guard !isDeleted, isNew, isAdded || !assigned.isEmpty else { return }
    migration.rewritten.insert(typeName)
    let rewritten = try record.withUnsafeBytes { bytes in
      try RecordEditor.rewrite(try table.view(bytes), table: table) { column in
        guard let payload = assigned[column.id] else { return .keep }
        return .set(payload)
      }
    }
    try key.bytes.withUnsafeBytes { key in
      try rewritten.withUnsafeBytes { try migration.writer.put(key: key, record: $0, into: table) }
    }
    isStored = isAdded
  }

  /// A new object with the defaults of the class and the given values.
  static func make(_ migration: Migration, table: Table, values: [String: Any]) throws -> MigrationObject {
    guard let descriptor = migration.configuration.schema.descriptors.first(where: { $0.name == table.name })
    else { throw migration.unknownType(table.name) }
    let binding = ObjectBinding(descriptor: descriptor, table: table)
    let prototype = descriptor.type.init()
    var remaining = values
    var conversion = ValueConversion()
    conversion.store = migration.configuration.name
    for property in binding.primaryKey {
      guard let value = remaining.removeValue(forKey: property.column) else { continue }
      let converted = try property.field.convert(value, conversion.property(property.name, of: table.name))
      prototype.setValue(converted, of: property)
    }
    if binding.primaryKey.isEmpty {
      prototype._rowID = try migration.writer.reserveRowIDs(1, for: table).lowerBound
    }
    var writer = ValueWriter()
    let start = try binding.encode(prototype, into: &writer)
    let object = try MigrationObject(
      migration,
      table: table,
      key: try binding.key(of: prototype),
      record: writer.withBytes { [UInt8]($0[start...]) },
      isNew: true
    )
    object.isAdded = true
    for (name, value) in remaining { try object.set(value, name) }
    return object
  }
}
