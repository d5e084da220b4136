// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// The single values that the library stores, and how each is written, read and converted. The record codec
// reads and writes the most common types directly at their offsets, without these functions.

extension Bool: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.bool) }
  @inlinable
  public static func _defaultValue() -> Bool { false }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    writer.appendInteger(UInt8(self ? 1 : 0))
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Bool? {
    try reader.integer(UInt8.self) != 0
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Bool {
    try conversion.bool(value)
  }
}

/// The signed integers, each stored at its own width.
public protocol _PersistableInteger: PersistableScalar, FixedWidthInteger {
  static var _kind: ColumnType.Kind { get }
}

extension _PersistableInteger {
  public static var _elementType: ColumnType { ColumnType(_kind) }
  @inlinable
  public static func _defaultValue() -> Self { 0 }
  public func _appendElement(to writer: inout _ValueWriter) throws { writer.appendInteger(self) }
  public static func _readElement(from reader: inout _ValueReader) throws -> Self? {
    try reader.integer(Self.self)
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    try conversion.integer(value, Self.self)
  }
}

extension Int: _PersistableInteger { public static var _kind: ColumnType.Kind { .int64 } }
extension Int8: _PersistableInteger { public static var _kind: ColumnType.Kind { .int8 } }
extension Int16: _PersistableInteger { public static var _kind: ColumnType.Kind { .int16 } }
extension Int32: _PersistableInteger { public static var _kind: ColumnType.Kind { .int32 } }
extension Int64: _PersistableInteger { public static var _kind: ColumnType.Kind { .int64 } }

extension Float: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.float) }
  @inlinable
  public static func _defaultValue() -> Float { 0 }
  public func _appendElement(to writer: inout _ValueWriter) throws { writer.appendInteger(bitPattern) }
  public static func _readElement(from reader: inout _ValueReader) throws -> Float? {
    Float(bitPattern: try reader.integer(UInt32.self))
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Float {
    try conversion.float(value)
  }
  public static func _areEqual(_ first: Float, _ second: Float) -> Bool { first.isSameValue(as: second) }
}

extension Double: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.double) }
  @inlinable
  public static func _defaultValue() -> Double { 0 }
  public func _appendElement(to writer: inout _ValueWriter) throws { writer.appendInteger(bitPattern) }
  public static func _readElement(from reader: inout _ValueReader) throws -> Double? {
    Double(bitPattern: try reader.integer(UInt64.self))
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Double {
    try conversion.double(value)
  }
  public static func _areEqual(_ first: Double, _ second: Double) -> Bool { first.isSameValue(as: second) }
}

extension String: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.string) }
  @inlinable
  public static func _defaultValue() -> String { "" }
  public func _appendElement(to writer: inout _ValueWriter) throws { writer.append(self) }
  public static func _readElement(from reader: inout _ValueReader) throws -> String? {
    String(decoding: reader.remaining(), as: UTF8.self)
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> String {
    try conversion.string(value)
  }
  public static func _areEqual(_ first: String, _ second: String) -> Bool { first.hasSameBytes(as: second) }
}

extension Data: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.data) }
  @inlinable
  public static func _defaultValue() -> Data { Data() }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    withUnsafeBytes { writer.append($0) }
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Data? {
    Data(reader.remaining())
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Data {
    try conversion.data(value)
  }
}

extension Date: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.date) }
  public static func _defaultValue() -> Date { CreationDate.now() }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    writer.appendInteger(timeIntervalSinceReferenceDate.bitPattern)
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Date? {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: try reader.integer(UInt64.self)))
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Date {
    try conversion.date(value)
  }
  public static func _areEqual(_ first: Date, _ second: Date) -> Bool {
    first.timeIntervalSinceReferenceDate.isSameValue(as: second.timeIntervalSinceReferenceDate)
  }
}

extension UUID: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.uuid) }
  /// Returns a ticket. When an unset property is first read or saved, a new ID replaces it.
  public static func _defaultValue() -> UUID { UnsetIdentifiers.uuidTicket() }
  public static var _actsOnFirstRead: Bool { true }
  public static func _firstRead(_ value: inout UUID, of owner: ObjectBase, at offset: Int) {
    value = value._generated()
  }
  public func _generated() -> UUID { UnsetIdentifiers.uuid(of: self) }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    withUnsafeBytes(of: uuid) { writer.append($0) }
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> UUID? {
    UUID(uuid: try reader.take(16).loadUnaligned(as: uuid_t.self))
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> UUID {
    try conversion.uuid(value)
  }
}

extension ObjectId: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.objectId) }
  /// Returns a ticket. When an unset property is first read or saved, a new ID replaces it.
  public static func _defaultValue() -> ObjectId { UnsetIdentifiers.objectIdTicket() }
  public static var _actsOnFirstRead: Bool { true }
  public static func _firstRead(_ value: inout ObjectId, of owner: ObjectBase, at offset: Int) {
    value = value._generated()
  }
  public func _generated() -> ObjectId { UnsetIdentifiers.objectId(of: self) }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    withBytes { writer.append($0) }
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> ObjectId? {
    ObjectId(bytes: try reader.take(12))
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> ObjectId {
    try conversion.objectId(value)
  }
}

extension Decimal: PersistableScalar {
  public static var _elementType: ColumnType { ColumnType(.decimal) }
  public static func _defaultValue() -> Decimal { 0 }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    DecimalCoding.encode(self).withUnsafeBytes { writer.append($0) }
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Decimal? {
    guard let value = DecimalCoding.decode(reader.remaining()) else { throw ValueReader.truncated }
    return value
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Decimal {
    try conversion.decimal(value)
  }
  public static func _areEqual(_ first: Decimal, _ second: Decimal) -> Bool {
    first == second || (first.isNaN && second.isNaN)
  }
}
