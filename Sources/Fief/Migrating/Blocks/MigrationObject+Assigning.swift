import LMDB

extension MigrationObject {
  func set(_ value: Any?, _ name: String) throws {
    guard !isOld else {
      throw conversion(for: name).error(.invalidValue, "The old object cannot be changed.")
    }
    try checkStage()
    if isDeleted { return }
    var column = try column(name)
    let prepared = try prepared(value, column)
    let payload = try DynamicPayload.payload(prepared, type: column.type, conversion(for: name))
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

  /// Drops values that await a move and are replaced by an assignment.
  private func forgetPending(_ name: String) throws {
    for column in try existingTable().entry.currentColumns
    where WorkingSchema.isPending(column)
      && column.name == WorkingSchema.pendingName(of: name, from: column.type.target ?? "")
    {
      assigned[column.id] = .some(nil)
    }
  }

  /// Links as the keys of their targets, embedded objects as records, everything else as it is.
  private func prepared(_ value: Any?, _ column: ColumnEntry) throws -> Any? {
    guard let value, !ValueConversion.isNil(value) else { return value }
    let isObject = column.type.kind == .link || column.type.kind == .embedded
    switch column.type.container {
    case .none: return isObject ? try prepared(element: value, column) : try PlainValue.stored(value)
    case .list, .set:
      guard let elements = PlainValue.elements(value) else { return value }
      if !isObject { return try elements.map { try $0.map { try PlainValue.stored($0) } } }
      let prepared = try elements.map { try $0.flatMap { try self.prepared(element: $0, column) } }
      // Links that lead nowhere.
      return column.type.isOptional ? prepared as Any : prepared.compactMap { $0 } as Any
    case .map:
      guard let entries = PlainValue.entries(value) else { return value }
      if !isObject { return try entries.mapValues { try $0.map { try PlainValue.stored($0) } } }
      let prepared = try entries.mapValues { try $0.flatMap { try self.prepared(element: $0, column) } }
      return column.type.isOptional ? prepared as Any : prepared.compactMapValues { $0 } as Any
    }
  }

  private func prepared(element value: Any, _ column: ColumnEntry) throws -> Any? {
    if ValueConversion.isNil(value) { return nil }
    return column.type.kind == .link ? try link(value, column) : try embedded(value, column)
  }

  private func link(_ value: Any, _ column: ColumnEntry) throws -> Any? {
    let conversion = conversion(for: column.name)
    guard let target = column.type.target, let table = migration.table(target) else {
      throw migration.unknownType(column.type.target ?? "")
    }
    if let object = value as? MigrationObject {
      try object.checkStage()
      guard object.keyBytes != nil else {
        throw conversion.wrongType(value, expected: "an object of \(target)")
      }
      let stage = try migration.currentStage()
      let name = object.isOld ? stage.old.currentName(of: object.typeName) : object.typeName
      if name == target { return DynamicPayload.Link(type: target, key: object.key) }
      guard let moved = try migration.movedKey(of: object, to: target, in: stage) else {
        throw conversion.wrongType(object.typeName, expected: "an object of \(target), or one moved to it")
      }
      return DynamicPayload.Link(type: target, key: ObjectKey(bytes: moved))
    }
    if let object = value as? Object {
      let copy = try migration.copy(of: object, in: try migration.currentStage())
      guard copy.typeName == target else {
        throw conversion.wrongType(copy.typeName, expected: "an object of \(target)")
      }
      return DynamicPayload.Link(type: target, key: copy.key)
    }
    let key = try migration.encodedKey(value, of: table)
    guard try migration.exists(key, in: table) else {
      throw conversion.error(
        .objectNotFound,
        "There is no object with the key that is assigned to a link.",
        details: ["\(target): " + HiddenValue.text("\(ObjectKey(bytes: key))")]
      )
    }
    return DynamicPayload.Link(type: target, key: ObjectKey(bytes: key))
  }

  private func embedded(_ value: Any, _ column: ColumnEntry) throws -> Any? {
    guard let target = column.type.target, let table = migration.table(target) else {
      throw migration.unknownType(column.type.target ?? "")
    }
    if let object = value as? MigrationObject {
      if object.keyBytes == nil, try object.hasRecord(of: table) {
        return try object.embeddedRecord(in: table)
      }
      return try embedded(try object.values(for: table), column)
    }
    if let object = value as? EmbeddedObject, Swift.type(of: object).className() == target {
      let made = try migration.makeEmbedded(target, in: table)
      for property in object.descriptor.properties where property.access != .none {
        try made.set(object.value(of: property), property.column)
      }
      return try made.embeddedRecord(in: table)
    }
    guard let values = value as? [String: Any] else {
      throw conversion(for: column.name).wrongType(value, expected: "a dictionary or an object of \(target)")
    }
    let made = try migration.makeEmbedded(target, in: table)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { try made.set(value, name) }
    return try made.embeddedRecord(in: table)
  }
}

extension Migration {
  /// Lets the objects of a type get new keys when the block is over.
  func changeKeys(ofType name: String) throws {
    try currentStage().working.makeProvisional(name)
    try reopenTables()
  }

  func exists(_ key: [UInt8], in table: Table) throws -> Bool {
    guard let records = table.records, ObjectKey.lengths.contains(key.count) else { return false }
    return try key.withUnsafeBytes { try writer.transaction.get(records, $0) } != nil
  }

  /// An embedded object with the defaults of its class.
  func makeEmbedded(_ name: String, in table: Table) throws -> MigrationObject {
    guard let defaults = try currentStage().defaults(of: name) else { throw unknownType(name) }
    var writer = ValueWriter()
    var builder = RecordBuilder(layout: table.currentLayout, in: &writer)
    for (place, column) in zip(table.currentLayout.places, table.currentLayout.columns) {
      if let payload = defaults.payload(of: column) {
        payload.withUnsafeBytes { builder.set($0, place, in: &writer) }
      } else {
        builder.set(nil, place, in: &writer)
      }
    }
    let start = try builder.finish(withChecksum: false, in: &writer)
    let record = writer.withBytes { [UInt8]($0[start...]) }
    return try MigrationObject(self, table: table, key: nil, record: record, old: nil)
  }
}
