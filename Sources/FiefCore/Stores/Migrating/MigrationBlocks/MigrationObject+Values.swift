import LMDB

extension MigrationObject {
  /// Returns the value of a property as a Swift type.
  ///
  /// In addition to the types that the subscript returns, the type may be any integer type that can represent
  /// the value, an enumeration with raw values, an optional of these, or an array or dictionary of these.
  ///
  /// - Throws: ``FiefError`` if the property does not exist, or if the value is nil or of another type.
  public func value<Value>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
    let value = try value(of: name)
    // Most values already have the type. Looking up its conformances would take longer than everything else.
    if let value, let result = value as? Value { return result }
    guard let result = DynamicCast.cast(value, to: type) as? Value else {
      throw conversion(for: name).wrongType(value as Any, expected: "\(type)")
    }
    return result
  }

  func value(of name: String) throws -> Any? {
    // An old object always has a record. Only linked objects may be missing.
    if !isOld { try checkStage() }
    let column = try column(name)
    let payload = try payload(of: column)
    let value = try payload.withBytes { try DynamicPayload.value($0, type: column.type) }
    return try resolved(value, column)
  }

  /// Returns the payload of a column: the assigned one, or the payload in the record or the key.
  func payload(of column: ColumnEntry) throws -> [UInt8]? {
    if let assigned = assigned[column.id] { return assigned }
    guard let record = try currentRecord() else { return nil }
    let table = try existingTable()
    if isOld { migration.stage?.noteRead(column.id, of: table.entry.id) }
    var result: [UInt8]?
    let isMissing = try record.withUnsafeBytes { bytes in
      let view = try table.view(bytes)
      if old == nil, try migration.currentStage().isGenerated(column, of: typeName),
        table.lacks(column, in: view)
      {
        return true
      }
      if let keyBytes {
        try keyBytes.withUnsafeBytes { key in
          try table.payload(of: column, in: view, key: key) { result = $0.map { [UInt8]($0) } }
        }
      } else {
        try table.payload(of: column, in: view) { result = $0.map { [UInt8]($0) } }
      }
      return false
    }
    guard isMissing else { return result }
    // The generated value is kept, so that a later read returns the same value.
    let generated = ClassDefaults.generated(column.type)
    assigned[column.id] = .some(generated)
    return generated
  }

  private func resolved(_ value: Any?, _ column: ColumnEntry) throws -> Any? {
    switch column.type.container {
    case .none: return try element(value, column, owner: (self, column.name))
    case .list, .set:
      guard let elements = value as? [Any?] else { return value }
      let resolved = try elements.map { try element($0, column, owner: nil) }
      return column.type.isOptional ? resolved as Any : resolved.compactMap { $0 } as Any
    case .map:
      guard let entries = value as? [String: Any?] else { return value }
      let resolved = try entries.mapValues { try element($0, column, owner: nil) }
      return column.type.isOptional ? resolved as Any : resolved.compactMapValues { $0 } as Any
    }
  }

  /// Converts keys to objects, and records to embedded objects.
  private func element(
    _ value: Any?,
    _ column: ColumnEntry,
    owner: (object: MigrationObject, property: String)?
  ) throws -> Any? {
    switch (column.type.kind, value) {
    case (.link, let link as DynamicPayload.Link): return try target(of: link)
    case (.embedded, let record as [UInt8]):
      guard let table = old?.tables[column.type.target ?? ""] ?? migration.table(column.type.target ?? "")
      else { return nil }
      let object = try MigrationObject(migration, table: table, key: nil, record: record, old: old)
      object.owner = owner
      object.depth = depth + 1
      return object
    default: return value
    }
  }

  private func target(of link: DynamicPayload.Link) throws -> MigrationObject? {
    try checkStage()
    if let old {
      guard let table = old.tables[link.type] else { return nil }
      return try migration.oldObject(of: table, key: link.key.bytes, in: old)
    }
    guard let table = migration.table(link.type) else { return nil }
    return try migration.currentObject(of: table, key: link.key.bytes)
  }
}

/// Casts values of column types to the types that callers request.
enum DynamicCast {
  /// Returns the value as a type, or `nil` if it cannot be cast. If the value is nil and the type is
  /// optional, the result is a nested nil.
  static func cast(_ value: Any?, to type: Any.Type) -> Any? {
    if let optional = type as? any AnyOptional.Type {
      guard let value else { return optional.nilValue }
      return cast(value, to: optional.wrapped).flatMap { optional.wrap($0) }
    }
    guard let value else { return nil }
    if let array = type as? any AnyArray.Type { return array.cast(value) }
    if let dictionary = type as? any AnyDictionary.Type { return dictionary.cast(value) }
    if let integer = type as? any FixedWidthInteger.Type, let number = value as? Int {
      return exactly(integer, number)
    }
    if let raw = type as? any RawRepresentable.Type, Swift.type(of: value) != type { return made(raw, value) }
    return value
  }

  private static func exactly<Value: FixedWidthInteger>(_ type: Value.Type, _ number: Int) -> Any? {
    Value(exactly: number)
  }

  private static func made<Value: RawRepresentable>(_ type: Value.Type, _ value: Any) -> Any? {
    (cast(value, to: Value.RawValue.self) as? Value.RawValue).flatMap(Value.init(rawValue:))
  }
}

private protocol AnyOptional {
  static var wrapped: Any.Type { get }
  static var nilValue: Any { get }
  static func wrap(_ value: Any) -> Any?
}

extension Optional: AnyOptional {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
  fileprivate static var nilValue: Any { Self(nilLiteral: ()) as Any }
  fileprivate static func wrap(_ value: Any) -> Any? { (value as? Wrapped).map { Self($0) as Any } }
}

private protocol AnyArray {
  static func cast(_ value: Any) -> Any?
}

extension Array: AnyArray {
  fileprivate static func cast(_ value: Any) -> Any? {
    guard let elements = (value as? [Any?]) ?? (value as? [Any]) else { return nil }
    let cast = elements.compactMap { DynamicCast.cast($0, to: Element.self) as? Element }
    return cast.count == elements.count ? cast : nil
  }
}

private protocol AnyDictionary {
  static func cast(_ value: Any) -> Any?
}

extension Dictionary: AnyDictionary {
  fileprivate static func cast(_ value: Any) -> Any? {
    guard let entries = (value as? [String: Any?]) ?? (value as? [String: Any]) else { return nil }
    var result: [Key: Value] = [:]
    for (key, value) in entries {
      guard let key = key as? Key, let value = DynamicCast.cast(value, to: Value.self) as? Value else {
        return nil
      }
      result[key] = value
    }
    return result
  }
}
