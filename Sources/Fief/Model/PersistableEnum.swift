// The underscored requirements are for the library alone; their protocols say what they do.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// An enumeration that is stored as its raw value.
///
/// ```swift
/// enum Size: String, PersistableEnum { case small, large }
/// ```
/// A stored raw value that no case has reads as the first of `allCases`; it stays as it is in the
/// store until the property is assigned.
public protocol PersistableEnum: RawRepresentable, CaseIterable, Hashable, RealmCollectionValue, Persistable
where RawValue: PersistableScalar {}

extension PersistableEnum {
  public static var _elementType: ColumnType { RawValue._elementType }
  public static var _columnType: ColumnType { RawValue._elementType }
  public static func _defaultValue() -> Self {
    if let value = Self(rawValue: RawValue._defaultValue()) { return value }
    return Self.allCases[Self.allCases.startIndex]
  }
  public func _append(to writer: inout ValueWriter) throws { try rawValue._appendElement(to: &writer) }
  public func _appendElement(to writer: inout ValueWriter) throws {
    try rawValue._appendElement(to: &writer)
  }
  public static func _read(from reader: inout ValueReader) throws -> Self {
    try _readElement(from: &reader) ?? _defaultValue()
  }
  public static func _readElement(from reader: inout ValueReader) throws -> Self? {
    guard let raw = try RawValue._readElement(from: &reader) else { return nil }
    return Self(rawValue: raw) ?? _defaultValue()
  }
  public static func _convert(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    try _convertElement(value, conversion)
  }
  public static func _convertElement(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    if let value = value as? Self { return value }
    guard let result = Self(rawValue: try RawValue._convertElement(value, conversion)) else {
      throw conversion.wrongType(value, expected: "a case of \(Self.self)")
    }
    return result
  }
}
