import LMDB

extension Migration {
  /// Adds an object of a type of the new schema.
  ///
  /// An unknown property, an invalid value or an existing primary key ends the migration with an error. If
  /// the primary key of the type changes, the new object gets its key after the block, like the other
  /// objects.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - values: the values by property name. All other properties get the defaults of the class.
  /// - Returns: the new object. Assignments to it are written.
  @discardableResult
  public func create(_ typeName: String, value values: [String: Any] = [:]) -> MigrationObject {
    attempt(nil) { try make(typeName, values: values, in: $0) }
      ?? MigrationObject(failedIn: self, typeName: typeName)
  }

  /// Adds an object of a type of the new schema, with values in the order of the properties.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - values: the values in the order of the properties. If there are fewer values than properties, the
  ///   other properties get the defaults of the class.
  /// - Returns: the new object. Assignments to it are written.
  @discardableResult
  public func create(_ typeName: String, value values: [Any]) -> MigrationObject {
    attempt(nil) { try make(typeName, values: try named(values, typeName, $0), in: $0) }
      ?? MigrationObject(failedIn: self, typeName: typeName)
  }

  /// Adds an object of a type of the new schema from a value of unknown type: a dictionary, an array, or an
  /// object of the type's class, which is copied with the objects to which it links.
  ///
  /// Any other value ends the migration with an error.
  @_disfavoredOverload
  @discardableResult
  public func create(_ typeName: String, value: Any) -> MigrationObject {
    if let values = value as? [String: Any] { return create(typeName, value: values) }
    if let values = value as? [Any] { return create(typeName, value: values) }
    return attempt(nil) { stage in
      guard let object = value as? Object, Swift.type(of: object).className() == typeName else {
        throw conversion(type: typeName, property: nil)
          .wrongType(value, expected: "a dictionary, an array or an object of \(typeName)")
      }
      return try copy(of: object, in: stage)
    } ?? MigrationObject(failedIn: self, typeName: typeName)
  }

  private func named(_ values: [Any], _ typeName: String, _ stage: MigrationStage) throws -> [String: Any] {
    guard let descriptor = stage.descriptor(typeName) else { throw unknownType(typeName) }
    let columns = descriptor.properties.filter { $0.access != .none }.map(\.column)
    guard values.count <= columns.count else {
      throw conversion(type: typeName, property: nil).error(
        .invalidValue,
        "There are more values than properties.",
        details: ["more values (\(values.count)) than properties (\(columns.count))"]
      )
    }
    return Dictionary(zip(columns, values)) { first, _ in first }
  }

  /// Deletes an object according to the delete rules of the new schema. By default, links to the object are
  /// cleared. The rules of the new schema apply because the objects must conform to it in the end.
  ///
  /// The migration ends with an error if a rule denies the deletion, if the new schema does not have the
  /// object's type, or if the object is embedded.
  public func delete(_ object: MigrationObject) {
    attempt(()) { stage in
      let name = object.isOld ? stage.old.currentName(of: object.typeName) : object.typeName
      guard let table = table(name) else { throw unknownType(name) }
      if object.isDeleted { return }
      try object.checkIsTopLevel()
      object.isDeleted = !object.isOld
      changeCount &+= 1
      _ = try object.key.bytes.withUnsafeBytes { try writer.delete(key: $0, from: table) }
    }
  }

  /// Deletes every object of a type according to the delete rules of the new schema.
  ///
  /// The migration ends with an error if the type is embedded, or if the new schema has the type and only a
  /// product writes its objects.
  ///
  /// - Returns: whether the store has the type.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    attempt(false) { stage in
      // If a type is removed, its objects are removed with it.
      guard let table = table(typeName) else {
        stage.deletedTypes.insert(typeName)
        return stage.old.table(typeName) != nil
      }
      guard table.records != nil else { throw embeddedType(typeName) }
      if table.isManaged {
        throw FiefError(
          .managedType,
          "Only the product that declares the class deletes its objects, unless the class is removed.",
          store: configuration.name,
          type: typeName
        )
      }
      changeCount &+= 1
      try writer.deleteAll(from: table)
      return true
    }
  }

  /// Allows the migration to delete unlinked objects of a type that becomes embedded. At the end of the
  /// migration such objects have no owner; without this call they are an error.
  public func deleteUnlinkedObjects(ofType typeName: String) {
    attempt(()) { stage in
      guard stage.working.demoted.contains(typeName) else {
        throw FiefError(
          .migrationFailed,
          "Only objects of a type that becomes embedded need an owner.",
          store: configuration.name,
          type: typeName
        )
      }
      stage.unlinkedAllowed.insert(typeName)
    }
  }

  func embeddedType(_ name: String) -> FiefError {
    FiefError(
      .invalidValue,
      "An embedded object belongs to its owner; assign it to the owner's property.",
      store: configuration.name,
      type: name
    )
  }

  /// Creates an object with the defaults of its class and the given values.
  ///
  /// - Parameter payloads: values by column that are already encoded. They take precedence over the defaults
  ///   of the class.
  func make(
    _ typeName: String,
    values: [String: Any],
    payloads: [UInt16: [UInt8]?] = [:],
    in stage: MigrationStage
  ) throws -> MigrationObject {
    guard let table = table(typeName), let defaults = try stage.defaults(of: typeName) else {
      throw unknownType(typeName)
    }
    guard table.records != nil else { throw embeddedType(typeName) }
    let record = try RecordEditor.make(of: table) { payloads[$0.id] ?? defaults.payload(of: $0) }
    var remaining = try byColumn(values, of: typeName, in: stage)
    let key = try newKey(for: table, values: &remaining, payloads: payloads, defaults, in: stage)
    let object = try MigrationObject(
      self,
      table: table,
      key: key,
      record: record,
      old: nil
    )
    object.state = .added
    try stage.noteCreated(typeName, key: key, in: temporary)
    for (name, value) in remaining.sorted(by: { $0.key < $1.key }) { try object.set(value, name) }
    try object.write()
    return object
  }

  /// Returns the values keyed by column name.
  private func byColumn(
    _ values: [String: Any],
    of typeName: String,
    in stage: MigrationStage
  ) throws -> [String: Any] {
    var named = values
    for (name, value) in values {
      let column = stage.columnName(name, of: typeName)
      if column == name { continue }
      guard named[column] == nil else {
        throw conversion(type: typeName, property: name).error(
          .invalidValue,
          "A property has two values: one under its name and one under its column's name."
        )
      }
      named[name] = nil
      named[column] = value
    }
    return named
  }

  /// Returns the key of a new object and removes the key's values from `values`.
  private func newKey(
    for table: Table,
    values: inout [String: Any],
    payloads: [UInt16: [UInt8]?],
    _ defaults: ClassDefaults,
    in stage: MigrationStage
  ) throws -> [UInt8] {
    if table.primaryKey.isEmpty { return try newKey(for: table, in: stage) }
    var encoder = KeyEncoder()
    for column in table.primaryKey {
      var payload = defaults.payload(of: column)
      if let given = payloads[column.id] { payload = given }
      if let value = values.removeValue(forKey: column.name) {
        let conversion = conversion(type: table.name, property: column.name)
        payload = try DynamicPayload.payload(
          try PlainValue.stored(value),
          type: column.type,
          conversion
        )
      }
      guard let payload else {
        encoder.appendNull()
        continue
      }
      try payload.withUnsafeBytes { try table.appendKeyElement($0, of: column, to: &encoder) }
    }
    guard encoder.bytes.count <= ObjectKey.maximumLength else {
      throw FiefError(
        .primaryKeyTooLong,
        "The primary key is too long for a store.",
        store: configuration.name,
        type: table.name
      )
    }
    return encoder.bytes
  }

  /// Returns a key for a new object of a type that has no primary key, or temporarily has none.
  func newKey(for table: Table, in stage: MigrationStage) throws -> [UInt8] {
    if stage.working.rekeyed.contains(table.name) || !table.formerKey.isEmpty {
      stage.provisionalKeys += 1
      return Table.provisionalKey(stage.provisionalKeys, parts: max(table.formerKey.count, 1))
    }
    var ids = stage.rowIDs[table.name] ?? 0..<0
    if ids.isEmpty { ids = try writer.reserveRowIDs(256, for: table) }
    stage.rowIDs[table.name] = ids.dropFirst()
    return ObjectKey(rowID: ids.lowerBound).bytes
  }

  func conversion(type: String, property: String?) -> ValueConversion {
    var conversion = ValueConversion()
    conversion.store = configuration.name
    conversion.type = type
    conversion.property = property
    return conversion
  }
}
