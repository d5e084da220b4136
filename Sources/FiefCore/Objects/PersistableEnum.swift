// The underscored requirements are for the library alone; their protocols say what they do.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// An enumeration that is stored as its raw value.
///
/// ```swift
/// enum Size: String, PersistableEnum { case small, large }
/// ```
/// A stored raw value that no case has, as one of a newer version of the program, reads as nil in an optional
/// property, and as the type's default in another: the case of the raw value's own default (0, ""), or the
/// first of `allCases`. It stays as it is in the store until the property is assigned: saving the object for
/// another reason does not change it. The store's event handler gets an event, once for each property.
/// Queries and groups use the stored values, and an object whose class is `Encodable` is encoded with it. In
/// a list, a set or a map such elements are left out; a collection that has some can be read and saved, but
/// not changed, since they would be lost.
public protocol PersistableEnum: RawRepresentable, CaseIterable, Hashable, RealmCollectionValue, Persistable,
  _QueryableStored
where RawValue: PersistableScalar, _StoredInQueries == RawValue {}

extension PersistableEnum {
  public static var _elementType: ColumnType { RawValue._elementType }
  public static var _columnType: ColumnType { RawValue._elementType }
  public static func _defaultValue() -> Self {
    if let value = Self(rawValue: RawValue._defaultValue()) { return value }
    return Self.allCases[Self.allCases.startIndex]
  }
  public func _append(to writer: inout _ValueWriter) throws { try rawValue._appendElement(to: &writer) }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    try rawValue._appendElement(to: &writer)
  }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    try _readElement(from: &reader) ?? _defaultValue()
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Self? {
    guard let raw = try RawValue._readElement(from: &reader) else { return nil }
    if let value = _case(of: raw) { return value }
    reader.foundUnknown = true
    return nil
  }
  public static var _mayHaveUnknown: Bool { true }
  public static var _hasRawValues: Bool { true }
  public static func _rawValue(_ payload: UnsafeRawBufferPointer) throws -> (any Encodable)? {
    var reader = ValueReader(payload, context: nil)
    return try RawValue._readElement(from: &reader) as? any Encodable
  }
  public static var _mayBeUnknownElement: Bool { true }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    try _convertElement(value, conversion)
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    if let value = value as? Self { return value }
    guard let result = _case(of: try RawValue._convertElement(value, conversion)) else {
      throw conversion.wrongType(value, expected: "a case of \(Self.self)")
    }
    return result
  }
  /// The case of a raw value; nil if no case has the same one. Swift takes a text for a case whose text has other bytes.
  private static func _case(of raw: RawValue) -> Self? {
    Self(rawValue: raw).flatMap { RawValue._areEqual($0.rawValue, raw) ? $0 : nil }
  }
}
