// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// An enumeration that is stored as its raw value.
///
/// ```swift
/// enum Size: String, PersistableEnum { case small, large }
/// ```
/// A stored raw value may match no case, for example if a newer version of the program wrote it. An optional
/// property then reads as nil. Any other property reads as the type's default: the case with the raw value's
/// own default (0 or ""), or the first of `allCases`. The stored value is kept until the property is
/// assigned; saving the object for another reason does not change it. The store reports one event for each
/// such property to its event handler. Queries and groups use the stored values, and encoding an object of an
/// `Encodable` class encodes them. Lists, sets and maps omit such elements. A collection with such elements
/// can be read and saved but not changed, because the elements would be lost.
public protocol PersistableEnum: RawRepresentable, CaseIterable, Hashable, RealmCollectionValue, Persistable,
  _QueryableStored
where RawValue: PersistableScalar, _StoredInQueries == RawValue, _Present == Self {}

extension PersistableEnum {
  public static var _elementType: ColumnType { RawValue._elementType }
  public static func _defaultValue() -> Self {
    if let value = Self(rawValue: RawValue._defaultValue()) { return value }
    return Self.allCases[Self.allCases.startIndex]
  }
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
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    if let value = value as? Self { return value }
    guard let result = _case(of: try RawValue._convertElement(value, conversion)) else {
      throw conversion.wrongType(value, expected: "a case of \(Self.self)")
    }
    return result
  }
  /// Returns the case with exactly this raw value, or `nil` if there is no such case. Swift's own initializer
  /// also accepts a text that is canonically equivalent but has different bytes.
  private static func _case(of raw: RawValue) -> Self? {
    Self(rawValue: raw).flatMap { RawValue._areEqual($0.rawValue, raw) ? $0 : nil }
  }
}
