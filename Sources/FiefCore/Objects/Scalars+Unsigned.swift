// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// The unsigned integers that fit a wider signed column: `UInt8`, `UInt16`, `UInt32`.
public protocol _PersistableUnsigned: PersistableScalar, FixedWidthInteger, UnsignedInteger {
  associatedtype _Stored: _PersistableInteger
}

extension _PersistableUnsigned {
  public static var _elementType: ColumnType { _Stored._elementType }
  @inlinable
  public static func _defaultValue() -> Self { 0 }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    writer.appendInteger(_Stored(truncatingIfNeeded: self))
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Self? {
    guard let value = Self(exactly: try reader.integer(_Stored.self)) else {
      throw UnsignedRange.error(Self.self)
    }
    return value
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    try conversion.integer(value, Self.self)
  }
}

extension UInt8: _PersistableUnsigned { public typealias _Stored = Int16 }
extension UInt16: _PersistableUnsigned { public typealias _Stored = Int32 }
extension UInt32: _PersistableUnsigned { public typealias _Stored = Int64 }

/// The unsigned integers that do not fit any integer column. `UInt` and `UInt64` are stored as decimals, so
/// that they are ordered and added correctly.
public protocol _PersistableLargeUnsigned: PersistableScalar, FixedWidthInteger, UnsignedInteger {}

extension _PersistableLargeUnsigned {
  public static var _elementType: ColumnType { ColumnType(.decimal) }
  @inlinable
  public static func _defaultValue() -> Self { 0 }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    try Decimal(UInt64(self))._appendElement(to: &writer)
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Self? {
    guard let decimal = try Decimal._readElement(from: &reader) else { return nil }
    guard let value = Self("\(decimal)") else { throw UnsignedRange.error(Self.self) }
    return value
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    try conversion.integer(value, Self.self)
  }
}

extension UInt: _PersistableLargeUnsigned {}
extension UInt64: _PersistableLargeUnsigned {}

private enum UnsignedRange {
  static func error(_ type: Any.Type) -> FiefError {
    FiefError(
      .invalidValue,
      "The store has a number outside the range of the property's type.",
      details: ["the type: \(type)"]
    )
  }
}
