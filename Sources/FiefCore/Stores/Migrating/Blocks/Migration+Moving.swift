import LMDB

extension Migration {
  /// The temporary tree that leads from the keys of a type's objects to those that they have in another one.
  static func movesTree(from source: String, to target: String) -> String { "moved:\(source)\u{1}\(target)" }

  /// Moves an object to another type: creates it there with the values of the properties that have the same
  /// name, and deletes the original.
  ///
  /// Links follow where a property leads to the new type now and led to the old one: such a property of any
  /// type is given the moved objects after the block, unless the block assigns it. Links to objects that were
  /// not moved become nil. A property that leads to the old type still loses the object.
  ///
  /// - Parameters:
  ///   - object: the object, old or new; the old one where its type is removed.
  ///   - typeName: the type that it moves to.
  ///   - values: values by property, which come before those of the object.
  /// - Returns: the object in the other type. Properties whose values cannot be converted have the class's
  ///   default.
  @discardableResult
  public func move(
    _ object: MigrationObject,
    toType typeName: String,
    value values: [String: Any] = [:]
  ) -> MigrationObject {
    attempt(nil) { try moved(object, typeName, values, in: $0) }
      ?? MigrationObject(failedIn: self, typeName: typeName)
  }

  /// The object that an object was moved to; nil where it was not moved there.
  ///
  /// - Parameters:
  ///   - object: the object before the move.
  ///   - typeName: the type that it was moved to.
  public func movedObject(from object: MigrationObject, toType typeName: String) -> MigrationObject? {
    attempt(nil) { stage in
      guard let table = table(typeName),
        let key = try movedKey(of: object, to: typeName, in: stage)
      else { return nil }
      return try currentObject(of: table, key: key)
    }
  }

  /// The key that an object has in the type that it was moved to.
  func movedKey(of object: MigrationObject, to typeName: String, in stage: MigrationStage) throws -> [UInt8]?
  {
    let source = stage.old.currentName(of: object.typeName)
    return try object.key.bytes.withUnsafeBytes {
      try temporary.value($0, in: Self.movesTree(from: source, to: typeName))
    }
  }

  private func moved(
    _ object: MigrationObject,
    _ typeName: String,
    _ values: [String: Any],
    in stage: MigrationStage
  ) throws -> MigrationObject {
    try object.checkIsTopLevel()
    let source = stage.old.currentName(of: object.typeName)
    guard source != typeName, table(typeName)?.records != nil else { throw unknownType(typeName) }
    var origin = object
    if object.isOld, let table = table(source) {
      // An object that was moved once before, to be split, has its old values only.
      origin = try currentObject(of: table, key: object.key.bytes) ?? object
    }
    let payloads = try payloads(of: origin, for: typeName, without: values, in: stage)
    let values = try values.merging(oldParts(of: origin, for: typeName)) { given, _ in given }
    let result = try make(typeName, values: values, payloads: payloads, in: stage)
    let tree = try temporary.tree(Self.movesTree(from: source, to: typeName))
    try object.key.bytes.withUnsafeBytes { old in
      try result.key.bytes.withUnsafeBytes { try writer.transaction.put(tree, old, $0) }
    }
    stage.movedFrom.insert(source)
    if let table = table(source) {
      changeCount &+= 1
      _ = try object.key.bytes.withUnsafeBytes {
        try writer.takeAway(key: $0, from: table)
      }
    }
    if !object.isOld { object.isDeleted = true }
    return result
  }

  /// The payloads of the columns that an object has in common with another type.
  private func payloads(
    of object: MigrationObject,
    for typeName: String,
    without values: [String: Any],
    in stage: MigrationStage
  ) throws -> [UInt16: [UInt8]?] {
    var result: [UInt16: [UInt8]?] = [:]
    for column in table(typeName)?.entry.currentColumns ?? [] where values[column.name] == nil {
      guard column.type.isStored, !WorkingSchema.isPending(column),
        let old = object.table?.entry.column(named: column.name),
        !object.isOld || column.type.kind != .embedded
      else { continue }
      var type = old.type
      if object.isOld, let target = type.target { type.target = stage.old.currentName(of: target) }
      if type == column.type || column.type.accepts(type) {
        result[column.id] = .some(try object.payload(of: old))
      } else if MigrationConversion.isConvertible(from: type, to: column.type) {
        guard let value = try object.value(of: column.name) else { continue }
        let conversion = conversion(type: typeName, property: column.name)
        result[column.id] = .some(try DynamicPayload.payload(value, type: column.type, conversion))
      } else if type.isLink, column.type.isLink, type.container == column.type.container,
        let target = type.target
      {
        // The target of a link may be moved later.
        var pending = column
        pending.type.isOptional = type.isOptional
        guard let added = try pendingColumn(of: pending, from: target, toType: typeName, in: stage) else {
          continue
        }
        result[added.id] = .some(try object.payload(of: old))
      }
    }
    return result
  }

  /// The embedded objects of an old object, whose records may not be as the new schema has them.
  private func oldParts(of object: MigrationObject, for typeName: String) throws -> [String: Any] {
    var result: [String: Any] = [:]
    guard let old = object.old else { return result }
    for column in table(typeName)?.entry.currentColumns ?? [] where column.type.kind == .embedded {
      guard var type = object.table?.entry.column(named: column.name)?.type else { continue }
      type.target = type.target.map(old.currentName)
      if type == column.type { result[column.name] = try object.value(of: column.name) }
    }
    return result
  }

  private func pendingColumn(
    of column: ColumnEntry,
    from source: String,
    toType typeName: String,
    in stage: MigrationStage
  ) throws -> ColumnEntry? {
    let name = WorkingSchema.pendingName(of: column.name, from: source)
    if let known = table(typeName)?.entry.column(named: name) { return known }
    let added = try stage.working.addPendingColumn(of: column, from: source, toType: typeName)
    try reopenTables()
    return added
  }
}

extension ColumnType {
  /// Whether payloads of another type are payloads of this one too: those that are never nil.
  func accepts(_ other: ColumnType) -> Bool {
    var required = self
    required.isOptional = false
    return container == .none && isOptional && required == other
  }
}
