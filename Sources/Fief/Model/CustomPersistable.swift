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

/// What ``CustomPersistable`` and ``FailableCustomPersistable`` have in common.
public protocol _CustomPersistable: RealmCollectionValue, _QueryableStored
where _StoredInQueries == PersistedType {
  /// The type that is stored.
  associatedtype PersistedType: PersistableScalar
  /// The value to store.
  var persistableValue: PersistedType { get }
  /// Makes the value from the stored one, nil where that is impossible.
  static func _make(_ stored: PersistedType) -> Self?
}

extension CustomPersistable {
  public static func _make(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
  public static func _defaultValue() -> Self { Self(persistedValue: PersistedType._defaultValue()) }
  public static var _columnType: ColumnType { PersistedType._elementType }
  public func _append(to writer: inout ValueWriter) throws {
    try persistableValue._appendElement(to: &writer)
  }
  public static func _read(from reader: inout ValueReader) throws -> Self {
    Self(persistedValue: try PersistedType._read(from: &reader))
  }
  public static func _convert(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    try _convertElement(value, conversion)
  }
}

extension FailableCustomPersistable {
  public static var _mayBeUnknownElement: Bool { true }
  public static func _make(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
}

extension _CustomPersistable {
  public static var _elementType: ColumnType { PersistedType._elementType }
  public func _appendElement(to writer: inout ValueWriter) throws {
    try persistableValue._appendElement(to: &writer)
  }
  public static func _readElement(from reader: inout ValueReader) throws -> Self? {
    guard let stored = try PersistedType._readElement(from: &reader) else { return nil }
    if let value = _make(stored) { return value }
    reader.foundUnknown = true
    return nil
  }
  public static func _convertElement(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    if let value = value as? Self { return value }
    guard let result = _make(try PersistedType._convertElement(value, conversion)) else {
      throw conversion.wrongType(value, expected: "\(Self.self)")
    }
    return result
  }
  public static func _areEqual(_ first: Self, _ second: Self) -> Bool {
    first.persistableValue == second.persistableValue
  }
}
