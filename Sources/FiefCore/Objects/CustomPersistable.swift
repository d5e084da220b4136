// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A custom type that is stored as another type.
///
/// ```swift
/// struct Cents: CustomPersistable, Hashable {
///   var amount: Int
///   init(persistedValue: Int) { amount = persistedValue }
///   var persistableValue: Int { amount }
/// }
/// ```
/// The stored form may also be an embedded object, which `persistableValue` creates each time. The property
/// is then stored as an optional. If the stored value is nil, the value is created from a new object of the
/// class.
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
  /// Creates the value from its stored form.
  init(persistedValue: PersistedType)
}

/// A custom type that is stored as another type and cannot be created from every value of that type.
///
/// Use it as an optional property or as an element of a collection. If the value cannot be created from a
/// stored value, a property reads as nil, and a collection leaves the element out. The store keeps the stored
/// value, like an unknown value of a ``PersistableEnum``.
public protocol FailableCustomPersistable: _CustomPersistable {
  /// Creates the value from its stored form, if possible.
  init?(persistedValue: PersistedType)
}

/// The common requirements of ``CustomPersistable`` and ``FailableCustomPersistable``.
public protocol _CustomPersistable: RealmCollectionValue, _QueryableStored
where _StoredInQueries == PersistedType {
  /// The stored type: the type of a single value, or a class of embedded objects.
  associatedtype PersistedType: _PersistedForm
  /// The value to store.
  var persistableValue: PersistedType { get }
  /// Creates the value from its stored form, or returns `nil` if that is impossible.
  static func _make(_ stored: PersistedType) -> Self?
}

/// A stored form of a custom type: a single value or an embedded object.
public protocol _PersistedForm: RealmCollectionValue {
  /// Returns the stored form of a value that was never set.
  static func _defaultForm() -> Self
  /// Whether two stored forms have the same values.
  static func _areEqualForms(_ first: Self, _ second: Self) -> Bool
}

extension PersistableScalar {
  public static func _defaultForm() -> Self { _defaultValue()._generated() }
  public static func _areEqualForms(_ first: Self, _ second: Self) -> Bool { _areEqual(first, second) }
}

extension CustomPersistable {
  public static func _make(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
  public static func _defaultValue() -> Self { Self(persistedValue: PersistedType._defaultForm()) }
  /// An embedded object is optional, because records that are older than the property do not contain it.
  public static var _columnType: ColumnType {
    var type = PersistedType._elementType
    if type.kind == .embedded { type.isOptional = true }
    return type
  }
  public static func _nilValue() -> Self? {
    PersistedType.self is EmbeddedObject.Type ? _defaultValue() : nil
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
    // Copies get their values later, and the converted object itself is not stored.
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
