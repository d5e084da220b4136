// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// Types of the standard library and Foundation that a property cannot have. The compiler's message names an
// alternative.

/// A type that cannot be stored.
public protocol _Unpersistable: Persistable {}

extension _Unpersistable {
  public static var _columnType: ColumnType { ColumnType(.string) }
  public func _append(to writer: inout _ValueWriter) throws { throw Self.refusal }
  public static func _read(from reader: inout _ValueReader) throws -> Self { throw refusal }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self { throw refusal }
  private static var refusal: FiefError {
    FiefError(.invalidValue, "Values of this type cannot be stored.", details: ["the type: \(Self.self)"])
  }
}

@available(*, unavailable, message: "a Character cannot be stored: use String")
extension Character: _Unpersistable {
  public static func _defaultValue() -> Character { " " }
}

@available(*, unavailable, message: "a Substring cannot be stored: use String")
extension Substring: _Unpersistable {
  public static func _defaultValue() -> Substring { "" }
}

@available(*, unavailable, message: "a TimeZone cannot be stored: use its identifier, a String")
extension TimeZone: _Unpersistable {
  public static func _defaultValue() -> TimeZone { .current }
}

@available(*, unavailable, message: "a Locale cannot be stored: use its identifier, a String")
extension Locale: _Unpersistable {
  public static func _defaultValue() -> Locale { .current }
}

@available(*, unavailable, message: "a DateInterval cannot be stored: use two properties of type Date")
extension DateInterval: _Unpersistable {
  public static func _defaultValue() -> DateInterval { DateInterval() }
}
