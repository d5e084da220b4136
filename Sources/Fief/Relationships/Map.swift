/// A dictionary with text keys in a property.
///
/// The entries are read when the map is first touched.
public final class Map<Key: MapKey, Value: RealmCollectionValue>: OwnedCollection {
  private var entries: [String: Value] = [:]

  /// Makes an empty map.
  public override init() {}

  /// The number of entries.
  public var count: Int { entries.count }

  /// Whether there is no entry.
  public var isEmpty: Bool { entries.isEmpty }

  /// The keys, in order.
  public var keys: [String] { entries.keys.sorted() }

  /// The values, in the order of their keys.
  public var values: [Value] { keys.compactMap { entries[$0] } }

  /// The value for a key; nil removes the entry.
  public subscript(key: String) -> Value? {
    get { entries[key] }
    set {
      entries[key] = newValue
      if let newValue { adopt(newValue) }
      didChange()
    }
  }

  /// Removes the entry of a key, if there is one.
  public func removeObject(for key: String) { self[key] = nil }

  /// Removes every entry.
  public func removeAll() {
    entries = [:]
    didChange()
  }

  /// Adds entries; a value that is there is replaced.
  public func merge(_ other: [String: Value]) {
    for (key, value) in other {
      entries[key] = value
      adopt(value)
    }
    didChange()
  }

  /// The entries as a dictionary.
  public var dictionary: [String: Value] { entries }

  func drop(_ shouldDrop: (Value) -> Bool) { entries = entries.filter { !shouldDrop($0.value) } }

  fileprivate func load(_ entries: [String: Value]) { self.entries = entries }
}

/// The type of a map's keys: text.
public protocol MapKey: Hashable, SendableMetatype {}

extension String: MapKey {}

extension Map: Sequence {
  /// An iterator over the entries as they are now, in the order of the keys.
  public func makeIterator() -> IndexingIterator<[(key: String, value: Value)]> {
    entries.sorted { $0.key < $1.key }.makeIterator()
  }

  /// The number of entries.
  public var underestimatedCount: Int { entries.count }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// Makes a map of entries; the last of equal keys counts.
  public convenience init(dictionaryLiteral elements: (String, Value)...) {
    self.init()
    load(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension Map: CustomStringConvertible {
  /// The entries as a dictionary writes them.
  public var description: String { PrintedValue.text(of: entries) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Map: Persistable {
  public static var _columnType: ColumnType {
    var type = Value._elementType
    type.container = .map
    return type
  }
  public static func _defaultValue() -> Self { Self() }
  public static var _actsOnFirstRead: Bool { true }
  public static var _attachesToOwner: Bool { true }
  public static func _firstRead(_ value: inout Map, of owner: ObjectBase, at offset: Int) {
    if owner.isDeferred(at: offset) {
      value.load(
        owner.withDeferredPayload(at: offset) { try CollectionCoding.readEntries(Value.self, from: &$0) }
          ?? [:]
      )
    }
    value.attach(to: owner, at: offset)
    for element in value.entries.values { element._adopt(by: owner) }
  }
  /// Another object's map is copied, so that each owner has one of its own.
  public static func _assigned(_ newValue: Map, to owner: ObjectBase) -> Self {
    let map = Self()
    map.load(newValue.entries)
    return map
  }
  public static func _deferred(_ source: _DeferredValue) -> Self? {
    let map = Self()
    map.deferredSource = source
    return map
  }
  public func _resolved() throws -> Self {
    guard let source = deferredSource else { return self }
    let map = Self()
    map.load(try source.read { try CollectionCoding.readEntries(Value.self, from: &$0) } ?? [:])
    return map
  }
  public func _append(to writer: inout ValueWriter) throws {
    writer.appendCount(entries.count)
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      writer.appendSized { $0.append(key) }
      try CollectionPayload.appendElement(of: Value._elementType, to: &writer) {
        try value._appendElement(to: &$0)
      }
    }
  }
  public static func _read(from reader: inout ValueReader) throws -> Self {
    let map = Self()
    map.load(try CollectionCoding.readEntries(Value.self, from: &reader))
    return map
  }
  public static func _convert(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    let map = Self()
    if let other = value as? Map {
      map.load(other.entries)
      return map
    }
    if ValueConversion.isNil(value) { return map }
    guard let entries = ValueConversion.members(of: value) else {
      throw conversion.wrongType(value, expected: "a dictionary of \(Value._elementType)")
    }
    var converted: [String: Value] = [:]
    for entry in entries {
      converted[entry.name] = try Value._convertElement(entry.value, conversion.element(entry.name))
    }
    map.load(converted)
    return map
  }
}
