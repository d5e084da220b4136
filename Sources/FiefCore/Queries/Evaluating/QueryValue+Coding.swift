import Foundation

extension QueryValue {
  /// Copies the value of a row. Embedded objects and collections become their payloads.
  init(_ value: RowValue, tables: StoreTables) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value):
      self = Int64(exactly: value).map { .integer($0) } ?? .double(Double(value))
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal(value)
    case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
    case .data(let bytes), .embedded(let bytes), .collection(let bytes): self = .data([UInt8](bytes))
    case .date(let value): self = .date(value)
    case .uuid(let bytes): self = .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    case .nested(let bytes): self = .nested([UInt8](bytes))
    case .objectId(let bytes): self = ObjectId(bytes: bytes).map { .objectId($0) } ?? .null
    case .object(let type, let key):
      let name = tables.all.first { $0.entry.id == type }?.name ?? ""
      self = .object(type: name, key: ObjectKey(key))
    }
  }

  /// Decodes the payload of a single value. A `nil` payload becomes ``null``.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the payload is invalid for the type.
  init(payload: UnsafeRawBufferPointer?, type: ColumnType, tables: StoreTables) throws(FiefError) {
    guard let payload else {
      self = .null
      return
    }
    let target = type.target.flatMap { tables[$0]?.entry.id } ?? 0
    self.init(try RowValue(payload, type.kind, target: target), tables: tables)
  }

  /// The kind of column as which the value is compared, or `nil` for nil.
  var kind: ColumnType.Kind? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .integer: .int64
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .objectId: .objectId
    case .nested: .any
    case .object: .link
    }
  }

  /// Returns the value as a number of a column's kind, without rounding. Returns `nil` if the kind cannot
  /// represent the number or the value is not a number.
  func number(as kind: ColumnType.Kind) -> QueryValue? {
    switch (self, kind) {
    case (.integer(let value), _) where kind.isInteger:
      return kind.integerRange.contains(value) ? self : nil
    case (.double(let value), _) where kind.isInteger:
      return Int64(exactly: value).flatMap { QueryValue.integer($0).number(as: kind) }
    case (.decimal(let value), _) where kind.isInteger:
      return ExactNumbers.integer(value).flatMap { QueryValue.integer($0).number(as: kind) }
    case (.double(let value), .double): return .double(value)
    case (.double(let value), .float):
      let narrow = Float(value)
      return Double(narrow) == value || value.isNaN ? .double(value) : nil
    case (.integer(let value), .double), (.integer(let value), .float):
      return Double(exactly: value).flatMap { QueryValue.double($0).number(as: kind) }
    case (.decimal(let value), .double), (.decimal(let value), .float):
      guard let double = ExactNumbers.double(value) else { return nil }
      return QueryValue.double(double).number(as: kind)
    case (.decimal, .decimal): return self
    case (.integer(let value), .decimal): return .decimal(Decimal(value))
    case (.double(let value), .decimal):
      return ExactNumbers.decimal(value).map { .decimal($0) }
    default: return nil
    }
  }

  /// Returns the payload of the value in a column, or `nil` for nil and for a value that does not fit the
  /// column.
  func payload(_ kind: ColumnType.Kind) -> [UInt8]? {
    var writer = ValueWriter()
    switch (number(as: kind) ?? self, kind) {
    case (.bool(let value), .bool): writer.appendInteger(UInt8(value ? 1 : 0))
    case (.integer(let value), .int8): writer.appendInteger(Int8(truncatingIfNeeded: value))
    case (.integer(let value), .int16): writer.appendInteger(Int16(truncatingIfNeeded: value))
    case (.integer(let value), .int32): writer.appendInteger(Int32(truncatingIfNeeded: value))
    case (.integer(let value), .int64): writer.appendInteger(value)
    case (.double(let value), .float): writer.appendInteger(Float(value).bitPattern)
    case (.double(let value), .double), (.date(let value), .date): writer.appendInteger(value.bitPattern)
    case (.decimal(let value), .decimal): writer.append(DecimalCoding.encode(value))
    case (.string(let value), .string): writer.append(value)
    case (.data(let value), .data): writer.append(value)
    case (.uuid(let value), .uuid): withUnsafeBytes(of: value.uuid) { writer.append($0) }
    case (.objectId(let value), .objectId): value.withBytes { writer.append($0) }
    case (.object(_, let key?), .link): writer.append(key.bytes)
    case (.nested(let bytes), .any): writer.append(bytes)
    case (_, .any):
      guard let kind = self.kind, kind != .link, let payload = payload(kind) else { return nil }
      writer.appendInteger(kind.rawValue)
      writer.append(payload)
    default: return nil
    }
    return writer.bytes
  }
}
