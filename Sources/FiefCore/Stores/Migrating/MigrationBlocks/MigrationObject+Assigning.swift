import LMDB

extension MigrationObject {
  func set(_ value: Any?, _ name: String) throws {
    guard !isOld else {
      throw conversion(for: name).error(.invalidValue, "The old object cannot be changed.")
    }
    try checkStage()
    if isDeleted { return }
    var column = try column(name)
    let payload = try encoded(value, column)
    if let table, table.entry.primaryKey.contains(column.id) {
      if try self.payload(of: column) == payload { return }
      try migration.changeKeys(ofType: typeName)
      column = try self.column(name)
    }
    if state == .stored {
      let type = UInt64(try existingTable().entry.id)
      try migration.currentStage().assigned.insert(type << 16 | UInt64(column.id))
    }
    assigned[column.id] = .some(payload)
    if column.type.isLink { try forgetPending(column.name) }
    if let owner {
      try owner.object.set(self, owner.property)
    } else if state == .stored, writesAtOnce {
      try write()
    }
  }

  /// Drops the values that wait for their linked objects to be moved, because an assignment replaces them.
  private func forgetPending(_ name: String) throws {
    for column in try existingTable().entry.currentColumns
    where WorkingSchema.isPending(column)
      && column.name == WorkingSchema.pendingName(of: name, from: column.type.target ?? "")
    {
      assigned[column.id] = .some(nil)
    }
  }

  /// Returns the payload of a value. Links become the keys of their targets, and embedded objects become
  /// records.
  private func encoded(_ value: Any?, _ column: ColumnEntry) throws -> [UInt8]? {
    let type = column.type
    return try DynamicPayload.payload(plain(value, type), type: type, conversion(for: column.name)) {
      value,
      conversion,
      writer in
      switch type.kind {
      case .link: writer.append(try linkKey(value, column, conversion))
      case .embedded: writer.append(try embeddedRecord(value, column, conversion))
      default: try DynamicPayload.append(PlainValue.stored(value), type: type, conversion, to: &writer)
      }
      return true
    }
  }

  /// Converts collections to arrays and dictionaries without links to missing objects. Other values are
  /// returned unchanged.
  private func plain(_ value: Any?, _ type: ColumnType) -> Any? {
    guard let value, type.container != .none, !ValueConversion.isNil(value) else { return value }
    let leavesOut = !type.isOptional && (type.kind == .link || type.kind == .embedded)
    func isKept(_ element: Any?) -> Bool { !leavesOut || element.map { !ValueConversion.isNil($0) } ?? false }
    guard type.container == .map else { return PlainValue.elements(value)?.filter(isKept) ?? value }
    return PlainValue.entries(value).map { JSONObject($0.filter { isKept($0.value) }) } ?? value
  }

  private func linkKey(_ value: Any, _ column: ColumnEntry, _ conversion: ValueConversion) throws -> [UInt8] {
    guard let target = column.type.target, let table = migration.table(target) else {
      throw migration.unknownType(column.type.target ?? "")
    }
    if let object = ValueConversion.cast(value, to: MigrationObject.self) {
      try object.checkStage()
      guard object.keyBytes != nil else {
        throw conversion.wrongType(value, expected: "an object of \(target)")
      }
      let stage = try migration.currentStage()
      let name = object.isOld ? stage.old.currentName(of: object.typeName) : object.typeName
      if name == target { return object.key.bytes }
      guard let moved = try migration.movedKey(of: object, to: target, in: stage) else {
        throw conversion.wrongType(object.typeName, expected: "an object of \(target), or moved to it")
      }
      return moved
    }
    if let object = ValueConversion.cast(value, to: Object.self) {
      let copy = try migration.copy(of: object, in: try migration.currentStage())
      guard copy.typeName == target else {
        throw conversion.wrongType(copy.typeName, expected: "an object of \(target)")
      }
      return copy.key.bytes
    }
    let key = try migration.encodedKey(value, of: table)
    guard try migration.exists(key, in: table) else {
      throw conversion.error(
        .objectNotFound,
        "No object has the key that was assigned to a link.",
        details: ["\(target): " + HiddenValue.text(table.text(ofKey: key))]
      )
    }
    return key
  }

  private func embeddedRecord(
    _ value: Any,
    _ column: ColumnEntry,
    _ conversion: ValueConversion
  ) throws -> [UInt8] {
    guard let target = column.type.target, let table = migration.table(target) else {
      throw migration.unknownType(column.type.target ?? "")
    }
    guard depth + 1 < ObjectGraph.deepestEmbedding else { throw conversion.embeddedTooDeeply }
    var values: [(name: String, value: Any?)]
    if let object = ValueConversion.cast(value, to: MigrationObject.self) {
      if object.keyBytes == nil, try object.hasRecord(of: table) {
        return try object.embeddedRecord(in: table)
      }
      values = try object.values(for: table).map { ($0.key, $0.value) }
    } else if let object = ValueConversion.cast(value, to: EmbeddedObject.self),
      Swift.type(of: object).className() == target
    {
      values = object.descriptor.properties.filter { $0.access != .none }.map {
        ($0.column, object.value(of: $0))
      }
    } else if let given = value as? [String: Any] {
      values = given.map { ($0.key, $0.value) }
    } else {
      throw conversion.wrongType(value, expected: "a dictionary or an object of \(target)")
    }
    values.sort { $0.name < $1.name }
    let made = try migration.makeEmbedded(target, in: table)
    made.depth = depth + 1
    for (name, value) in values { try made.set(value, name) }
    return try made.embeddedRecord(in: table)
  }
}

extension Migration {
  /// Gives all objects of the type new keys after the block.
  func changeKeys(ofType name: String) throws {
    try currentStage().working.makeProvisional(name)
    try reopenTables()
  }

  func exists(_ key: [UInt8], in table: Table) throws -> Bool {
    guard let records = table.records, ObjectKey.lengths.contains(key.count) else { return false }
    return try key.withUnsafeBytes { try writer.transaction.get(records, $0) } != nil
  }

  /// Creates an embedded object with the defaults of its class.
  func makeEmbedded(_ name: String, in table: Table) throws -> MigrationObject {
    guard let defaults = try currentStage().defaults(of: name) else { throw unknownType(name) }
    let record = try RecordEditor.make(of: table, withChecksum: false) { defaults.payload(of: $0) }
    return try MigrationObject(self, table: table, key: nil, record: record, old: nil)
  }
}
