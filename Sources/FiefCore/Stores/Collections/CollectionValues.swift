// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Arrays, sets and dictionaries of values as properties. They are stored like a `List`, a `MutableSet` or a
// `Map` of the same elements. Queries, migrations, documents and the command-line tool therefore treat them
// alike, and a property can change between the two without a migration. They are read together with their
// object and written as a whole.

/// Reads collections of `AnyRealmValue`s with objects, which are read lazily.
private enum DeferredValues {
  static func read<Value: Persistable>(_ value: inout Value, of owner: ObjectBase, at offset: Int) {
    guard owner.isDeferred(at: offset) else { return }
    value = owner.withDeferredPayload(at: offset) { try Value._read(from: &$0) } ?? Value._defaultValue()
    owner._holdsObjects = true
  }
}

extension Array: Persistable where Element: RealmCollectionValue {
  public static var _columnType: ColumnType { List<Element>._columnType }
  @inlinable
  public static func _defaultValue() -> Self { [] }
  public static var _actsOnFirstRead: Bool { Element.self == AnyRealmValue.self }
  public static func _firstRead(_ value: inout Self, of owner: ObjectBase, at offset: Int) {
    DeferredValues.read(&value, of: owner, at: offset)
  }
  public var _hasObjects: Bool {
    Element.self == AnyRealmValue.self && (self as? [AnyRealmValue])?.hasObject ?? false
  }
  public func _withoutDeletedObjects() -> Self { withoutDeletedObjects }
  public func _append(to writer: inout _ValueWriter) throws { try CollectionCoding.append(self, to: &writer) }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    try CollectionCoding.readAllElements(Element.self, from: &reader)
  }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    try CollectionCoding.convertElements(Element.self, value, conversion)
  }
}

extension Array: CollectionValue where Element: RealmCollectionValue {
  static var elementOfCollection: any RealmCollectionValue.Type { Element.self }
  static var collectionInPlace: String { "List" }
}

extension Set: Persistable where Element: RealmCollectionValue {
  public static var _columnType: ColumnType { MutableSet<Element>._columnType }
  @inlinable
  public static func _defaultValue() -> Self { [] }
  public static var _actsOnFirstRead: Bool { Element.self == AnyRealmValue.self }
  public static func _firstRead(_ value: inout Self, of owner: ObjectBase, at offset: Int) {
    DeferredValues.read(&value, of: owner, at: offset)
  }
  public var _hasObjects: Bool {
    Element.self == AnyRealmValue.self && (self as? Set<AnyRealmValue>)?.hasObject ?? false
  }
  public func _withoutDeletedObjects() -> Self { Set(map(\.withoutDeletedObjects)) }
  public func _append(to writer: inout _ValueWriter) throws { try MutableSet(self)._append(to: &writer) }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    let elements = try CollectionCoding.readAllElements(Element.self, from: &reader)
    let set = Set(elements)
    // A Swift set keeps each NaN as a separate element. It also merges positive and negative zero, which an
    // earlier build may have stored separately.
    guard set.count == elements.count || set.count >= MutableSet(elements).count else {
      throw CollectionCoding.incomplete
    }
    return set
  }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    let elements = try CollectionCoding.convertElements(Element.self, value, conversion)
    let set = Set(elements)
    guard set.count >= MutableSet(elements).count else { throw conversion.heldEqual }
    return set
  }
}

extension Set: CollectionValue where Element: RealmCollectionValue {
  static var elementOfCollection: any RealmCollectionValue.Type { Element.self }
  static var collectionInPlace: String { "MutableSet" }
}

extension Dictionary: Persistable where Key == String, Value: RealmCollectionValue {
  public static var _columnType: ColumnType { Map<String, Value>._columnType }
  @inlinable
  public static func _defaultValue() -> Self { [:] }
  public static var _actsOnFirstRead: Bool { Value.self == AnyRealmValue.self }
  public static func _firstRead(_ value: inout Self, of owner: ObjectBase, at offset: Int) {
    DeferredValues.read(&value, of: owner, at: offset)
  }
  public var _hasObjects: Bool {
    Value.self == AnyRealmValue.self && (self as? [String: AnyRealmValue])?.hasObject ?? false
  }
  public func _withoutDeletedObjects() -> Self { mapValues(\.withoutDeletedObjects) }
  public func _append(to writer: inout _ValueWriter) throws {
    let map = Map<String, Value>()
    for (key, value) in self { map[key] = value }
    try map._append(to: &writer)
  }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    try CollectionCoding.readAllEntries(Value.self, from: &reader)
  }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    var result: Self = [:]
    for (key, value) in try Map<String, Value>._convert(value, conversion) {
      guard result.updateValue(value, forKey: key) == nil else { throw conversion.heldEqual }
    }
    return result
  }
}

extension Dictionary: CollectionValue where Key == String, Value: RealmCollectionValue {
  static var elementOfCollection: any RealmCollectionValue.Type { Value.self }
  static var collectionInPlace: String { "Map" }
}

extension CollectionCoding {
  /// Returns all elements of a payload, or throws an error. An incomplete array would later be saved without
  /// the missing elements.
  fileprivate static func readAllElements<Element: RealmCollectionValue>(
    _ element: Element.Type,
    from reader: inout ValueReader
  ) throws -> [Element] {
    let count = try storedCount(reader)
    let elements = try readElements(element, from: &reader)
    guard elements.count == count else { throw incomplete }
    return elements
  }

  fileprivate static func readAllEntries<Value: RealmCollectionValue>(
    _ value: Value.Type,
    from reader: inout ValueReader
  ) throws -> [String: Value] {
    let count = try storedCount(reader)
    let entries = Dictionary(try readEntries(value, from: &reader).map { ($0.key, $0.value) }) { $1 }
    guard entries.count == count else { throw incomplete }
    return entries
  }

  fileprivate static var incomplete: FiefError {
    FiefError(.invalidValue, "The collection has elements that do not fit the property's type.")
  }

  /// Returns the number of elements in the payload, or in the tree to which its marker refers.
  private static func storedCount(_ reader: ValueReader) throws -> Int {
    if reader.isAtEnd { return 0 }
    guard let marker = try CollectionMarker(reader.rest) else {
      var copy = ValueReader(reader.rest, context: nil)
      return try copy.count()
    }
    return try CollectionCoding.withCollection(of: marker, reader) { try $0.existingCount() }
  }
}
