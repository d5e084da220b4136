import LMDB

extension Migration {
  /// The names of the types of the new schema, sorted.
  public var typeNames: [String] { attempt([]) { $0.schema.descriptors.map(\.name).sorted() } }

  /// The names of the types of the old schema, sorted.
  public var oldTypeNames: [String] { attempt([]) { $0.old.tables.all.map(\.name).sorted() } }

  /// Returns the properties of a type of the new schema in the order of their declaration, or `nil` if the
  /// schema does not have the type.
  public func properties(ofType typeName: String) -> [PropertySchema]? {
    attempt(nil) { stage in
      guard let descriptor = stage.descriptor(typeName) else { return nil }
      return descriptor.properties.map { PropertySchema($0, isIndexed: descriptor.isIndexed($0)) }
    }
  }

  /// Returns the properties of a type of the old schema, or `nil` if the schema did not have the type.
  public func oldProperties(ofType typeName: String) -> [PropertySchema]? {
    attempt(nil) { stage in
      stage.old.table(typeName)?.entry.properties
    }
  }

  /// Returns the current number of objects of a type, or 0 if the new schema does not have the type.
  public func count(ofType typeName: String) -> Int {
    attempt(0) { _ in
      guard let records = table(typeName)?.records else { return 0 }
      return try writer.transaction.count(records)
    }
  }

  /// Returns the current object with a primary key, or `nil` if no object has the key.
  ///
  /// While the primary key of a type changes, its objects are found by their old keys.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - key: the key's value, an array of its parts, or an ``ObjectKey``.
  /// - Throws: ``FiefError`` if the type does not exist or has no primary key, or if the value does not fit
  ///   the key.
  public func object(ofType typeName: String, forPrimaryKey key: Any) throws -> MigrationObject? {
    _ = try currentStage()
    guard let table = table(typeName) else { throw unknownType(typeName) }
    return try currentObject(of: table, key: try encodedKey(key, of: table))
  }

  /// Returns the old object with a primary key, or `nil` if there was none.
  ///
  /// - Parameters:
  ///   - typeName: the type's old or new name.
  ///   - key: the key's value, an array of its parts, or an ``ObjectKey``.
  /// - Throws: ``FiefError`` if the type did not exist or had no primary key, or if the value does not fit
  ///   the key.
  public func oldObject(ofType typeName: String, forPrimaryKey key: Any) throws -> MigrationObject? {
    let stage = try currentStage()
    guard let table = stage.old.table(typeName) else { throw unknownType(typeName) }
    return try oldObject(of: table, key: try encodedKey(key, of: table), in: stage.old)
  }

  func oldObject(of table: Table, key: [UInt8], in old: EarlierState) throws -> MigrationObject? {
    guard let record = try old.record(key, of: table) else { return nil }
    return try MigrationObject(self, table: table, key: key, record: record, old: old)
  }

  /// Returns the key for a value that a caller passes.
  func encodedKey(_ value: Any, of table: Table) throws -> [UInt8] {
    if let key = value as? ObjectKey { return try table.stored(key.bytes) }
    let columns = table.lookupKey
    guard !columns.isEmpty else {
      throw FiefError(
        .missingPrimaryKey,
        "The type has no primary key.",
        store: configuration.name,
        type: table.name
      )
    }
    let conversion = conversion(type: table.name, property: columns.map(\.name).joined(separator: ", "))
    let parts: [Any?] = columns.count == 1 ? [value] : value as? [Any?] ?? []
    guard parts.count == columns.count else {
      throw conversion.wrongType(value, expected: "an array of the key's \(columns.count) parts")
    }
    var encoder = KeyEncoder()
    for (column, part) in zip(columns, parts) {
      if let payload = try DynamicPayload.payload(part, type: column.type, conversion) {
        try payload.withUnsafeBytes { try table.appendKeyElement($0, of: column, to: &encoder) }
      } else {
        encoder.appendNull()
      }
    }
    return encoder.bytes
  }
}
