// The underscored requirements are for the library alone; their protocols say what they do.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Arrays, sets and dictionaries of values as properties. They are stored as a `List`, a `MutableSet` and a `Map` of the
// same elements, so that queries, migrations, documents and the tool treat them alike and one may become the other
// without a migration. They are read with their object, and written as a whole.

/// Collections with values of any type that are objects, which are read at their first use.
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
    // Swift holds no two NaNs equal, and the zeros that an earlier build has stored apart.
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
  /// The elements of a payload, every one of them: an array that lacks some would be written back without them.
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
    FiefError(.invalidValue, "The collection has elements that the property's type cannot be made of.")
  }

  /// The number of elements, by the payload or by the tree that its marker leads to.
  private static func storedCount(_ reader: ValueReader) throws -> Int {
    if reader.isAtEnd { return 0 }
    guard let marker = try CollectionMarker(reader.rest) else {
      var copy = ValueReader(reader.rest, context: nil)
      return try copy.count()
    }
    return try CollectionCoding.withCollection(of: marker, reader) { try $0.existingCount() }
  }
}
