// The underscored requirements are for the library alone; their protocols say what they do.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A type of the application's that is stored as another one.
///
/// ```swift
/// struct Cents: CustomPersistable, Hashable {
///   var amount: Int
///   init(persistedValue: Int) { amount = persistedValue }
///   var persistableValue: Int { amount }
/// }
/// ```
/// The stored form may also be an embedded object, which `persistableValue` makes each time; a property is
/// then stored as an optional one is, and where it is nil the value is made from a new object of the class.
///
/// ```swift
/// struct Place: CustomPersistable {
///   var city: String
///   init(persistedValue: Address) { city = persistedValue.city }
///   var persistableValue: Address { Address(value: ["city": city]) }
/// }
/// @Persisted var home: Place
/// @Persisted var others: List<Place>
/// ```
public protocol CustomPersistable: _CustomPersistable, Persistable {
  /// Makes the value from the stored one.
  init(persistedValue: PersistedType)
}

/// A type of the application's that is stored as another one and cannot be made from each value of it.
///
/// It is used as an optional property or as an element. A stored value that it cannot be made from
/// reads as nil there, and is left out of a collection. It stays in the store as an unknown value of a ``PersistableEnum``
/// does.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// Makes the value from the stored one, if that is possible.
  init?(persistedValue: PersistedType)
}

/// The common part of ``CustomPersistable`` and ``FailableCustomPersistable``.
public protocol _CustomPersistable: RealmCollectionValue, _QueryableStored
where _StoredInQueries == PersistedType {
  /// The type that is stored: that of a single value, or a class of embedded objects.
  associatedtype PersistedType: _PersistedForm
  /// The value to store.
  var persistableValue: PersistedType { get }
  /// Makes the value from the stored one, nil where that is impossible.
  static func _make(_ stored: PersistedType) -> Self?
}

/// A stored form of a custom type: a single value, or an embedded object.
public protocol _PersistedForm: RealmCollectionValue {
  /// The stored form of a value that was never set.
  static func _defaultForm() -> Self
  /// Whether two have the same values.
  static func _areEqualForms(_ first: Self, _ second: Self) -> Bool
}

extension PersistableScalar {
  public static func _defaultForm() -> Self { _defaultValue()._generated() }
  public static func _areEqualForms(_ first: Self, _ second: Self) -> Bool { _areEqual(first, second) }
}

extension CustomPersistable {
  public static func _make(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
  public static func _defaultValue() -> Self { Self(persistedValue: PersistedType._defaultForm()) }
  /// An embedded object may be missing in a record that is older than the property.
  public static var _columnType: ColumnType {
    var type = PersistedType._elementType
    if type.kind == .embedded { type.isOptional = true }
    return type
  }
  public static func _nilValue() -> Self? {
    PersistedType.self is EmbeddedObject.Type ? _defaultValue() : nil
  }
  public func _append(to writer: inout _ValueWriter) throws {
    try persistableValue._appendElement(to: &writer)
  }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    guard let stored = try PersistedType._readElement(from: &reader) else { throw ValueReader.truncated }
    return Self(persistedValue: stored)
  }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    if let missing = _nilValue(), ValueConversion.isNil(value) { return missing }
    return try _convertElement(value, conversion)
  }
}

extension FailableCustomPersistable {
  public static var _mayBeUnknownElement: Bool { true }
  public static func _make(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
}

extension _CustomPersistable {
  public static var _elementType: ColumnType { PersistedType._elementType }
  public func _appendElement(to writer: inout _ValueWriter) throws {
    try persistableValue._appendElement(to: &writer)
  }
  public static func _readElement(from reader: inout _ValueReader) throws -> Self? {
    guard let stored = try PersistedType._readElement(from: &reader) else { return nil }
    if let value = _make(stored) { return value }
    reader.foundUnknown = true
    return nil
  }
  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    if let value = value as? Self { return value }
    if ValueConversion.isNil(value) { throw conversion.wrongType(value, expected: "\(Self.self)") }
    var conversion = conversion
    // A copy of an object has its values only later, and this one is not kept.
    conversion.copies = nil
    guard let result = _make(try PersistedType._convertElement(value, conversion)) else {
      throw conversion.wrongType(value, expected: "\(Self.self)")
    }
    return result
  }
  public static func _areEqual(_ first: Self, _ second: Self) -> Bool {
    PersistedType._areEqualForms(first.persistableValue, second.persistableValue)
  }
}
