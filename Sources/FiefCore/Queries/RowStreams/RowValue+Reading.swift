import Foundation

extension RowValue {
  /// Returns the value as a value of a property's type.
  ///
  /// - Parameters:
  ///   - writer: a buffer for payloads that are not in the record in the required form.
  ///   - origin: the origin with which objects in an `AnyRealmValue` are read.
  /// - Throws: ``FiefError`` of code `invalidQuery` if the type cannot represent the value.
  func read<Value: Persistable>(
    as type: Value.Type,
    _ kind: ColumnType.Kind,
    _ writer: inout ValueWriter,
    _ origin: ValueOrigin?
  ) throws -> Value {
    switch self {
    case .null: return type._nilValue() ?? CreationDate.withoutClock(1) { type._defaultValue() }
    case .text(let bytes) where kind == .string, .data(let bytes) where kind == .data,
      .uuid(let bytes) where kind == .uuid, .objectId(let bytes) where kind == .objectId:
      var reader = ValueReader(bytes, context: nil)
      return try type._read(from: &reader)
    default:
      writer.removeAll()
      guard append(kind, to: &writer) else {
        throw FiefError(
          .invalidQuery,
          "The requested type does not match the value.",
          details: ["requested: \(kind.facts.swiftName)"]
        )
      }
      return try writer.withBytes {
        var reader = ValueReader($0, context: origin)
        return try type._read(from: &reader)
      }
    }
  }

  /// Appends the payload for a column of a kind. Returns false if the value does not fit the column.
  private func append(_ kind: ColumnType.Kind, to writer: inout ValueWriter) -> Bool {
    switch (self, kind) {
    case (.bool(let value), .bool): writer.appendInteger(UInt8(value ? 1 : 0))
    case (.integer(let value), .int8): return append(Int8(exactly: value), to: &writer)
    case (.integer(let value), .int16): return append(Int16(exactly: value), to: &writer)
    case (.integer(let value), .int32): return append(Int32(exactly: value), to: &writer)
    case (.integer(let value), .int64): return append(Int64(exactly: value), to: &writer)
    case (.integer(let value), .double): writer.appendInteger(Double(value).bitPattern)
    case (.double(let value), .double), (.date(let value), .date): writer.appendInteger(value.bitPattern)
    case (.double(let value), .float): writer.appendInteger(Float(value).bitPattern)
    case (.decimal(let value), .decimal): writer.append(DecimalCoding.encode(value))
    case (.text(let bytes), .string), (.data(let bytes), .data), (.uuid(let bytes), .uuid),
      (.objectId(let bytes), .objectId):
      writer.append(bytes)
    case (.nested(let bytes), .any): writer.append(bytes)
    case (.object(let type, let key), .any):
      writer.appendInteger(NestedKind.object.rawValue)
      writer.appendInteger(type)
      writer.append(key)
    case (_, .any):
      guard let own = self.kind else { return false }
      writer.appendInteger(own.rawValue)
      return append(own, to: &writer)
    default: return false
    }
    return true
  }

  private func append<Value: FixedWidthInteger>(_ value: Value?, to writer: inout ValueWriter) -> Bool {
    guard let value else { return false }
    writer.appendInteger(value)
    return true
  }

  /// The kind of the value in a property of any type.
  private var kind: ColumnType.Kind? {
    switch self {
    case .bool: .bool
    case .integer: .int64
    case .double: .double
    case .decimal: .decimal
    case .text: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .objectId: .objectId
    case .nested: .any
    case .null, .object, .embedded, .collection: nil
    }
  }
}

extension QueryValue {
  /// Returns the value as a value of a property's type.
  func read<Value: Persistable>(as type: Value.Type) throws -> Value {
    if self == .null { return type._nilValue() ?? CreationDate.withoutClock(1) { type._defaultValue() } }
    let kind = type._columnType.kind
    guard let payload = payload(kind) else {
      throw FiefError(
        .invalidQuery,
        "The requested type does not match the value.",
        details: [
          "requested: \(kind.facts.swiftName)",
          "value: " + HiddenValue.text("\(self)", summary: self.kind?.facts.swiftName ?? "nil"),
        ]
      )
    }
    return try payload.withUnsafeBytes {
      var reader = ValueReader($0, context: nil)
      return try type._read(from: &reader)
    }
  }
}
