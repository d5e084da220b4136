import LMDB

extension Migration {
  /// Returns the name of the temporary tree that maps the keys of a type's objects to their keys in another
  /// type.
  static func movesTree(from source: String, to target: String) -> String { "moved:\(source)\u{1}\(target)" }

  /// Moves an object to another type. The new object gets the values of the properties that both types
  /// declare, and the original is deleted.
  ///
  /// Links are updated if a property now links to the new type and linked to the old type before. After the
  /// block, such a property of any type links to the moved objects, unless the block assigned it. Its links
  /// to objects that were not moved become nil. A property that still links to the old type loses the link.
  ///
  /// - Parameters:
  ///   - object: the object, old or new. If its type is removed, pass the old object.
  ///   - typeName: the type to which the object moves.
  ///   - values: values by property name, which take precedence over the values of the object.
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

  /// Returns the object to which an object was moved, or `nil` if it was not moved to that type.
  ///
  /// - Parameters:
  ///   - object: the object before the move.
  ///   - typeName: the type to which it was moved.
  public func movedObject(from object: MigrationObject, toType typeName: String) -> MigrationObject? {
    attempt(nil) { stage in
      guard let table = table(typeName),
        let key = try movedKey(of: object, to: typeName, in: stage)
      else { return nil }
      return try currentObject(of: table, key: key)
    }
  }

  /// Returns the key that an object has in the type to which it was moved.
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
      // An object that was already moved, which happens when it is split, has only its old values.
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

  /// Returns the payloads of the columns that an object has in common with another type.
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
        // The target of the link may be moved later.
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

  /// Returns the embedded objects of an old object as values, because their records may not fit the new
  /// schema.
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
