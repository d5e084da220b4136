/// A dictionary with text keys in a property.
///
/// Any text can be a key: an empty text, a text with dots, a long text. Two keys are equal if their UTF-8
/// bytes are equal, and keys are ordered by these bytes.
///
/// The entries are read when you first access the map, and linked objects when you access them. A large map
/// is stored separately, like a large ``List``. The value of a deleted object is nil. Iterating over the map
/// skips deleted objects.
public final class Map<Key: MapKey, Value: RealmCollectionValue>: _OwnedCollection {
  /// The entries, unless they are in `linked` or `large`.
  private(set) var entries: [ExactText: Value] = [:]
  /// Links whose objects are read when they are accessed.
  private(set) var linked: LinkedEntries<Value>?
  /// The map that is stored in a separate tree, in a scope.
  private var large: LargeAccess?

  /// Creates an empty map.
  public override init() {}

  /// The number of entries, including links to deleted objects.
  public var count: Int {
    willRead()
    if let table = largeTable { return large?.attempt(0) { try table.existingCount() } ?? 0 }
    return linked?.count ?? entries.count
  }

  /// A Boolean value that indicates whether the map has no entries.
  public var isEmpty: Bool { count == 0 }

  /// The sorted keys.
  public var keys: [String] {
    willRead()
    let keys =
      if let table = largeTable, let large {
        large.attempt([]) { try table.keys() }
      } else {
        linked?.keys ?? entries.keys.map(\.text)
      }
    return keys.sorted { $0.precedes($1) }
  }

  /// The values in the order of their keys, without deleted objects.
  public var values: [Value] { Array(self).map(\.value) }

  /// The value for a key. Assigning `nil` removes the entry.
  public subscript(key: String) -> Value? {
    get {
      willRead()
      if let table = largeTable, let large { return large.value(of: key, in: table) }
      if let linked { return linked[key] }
      return entries[ExactText(key)]?.withoutDeletedObjects
    }
    set {
      willChange()
      set(newValue, for: key)
      if let newValue { adopt(newValue) }
      stored?.names.insert(ExactText(key))
      didChange(isAddition: newValue != nil)
    }
  }

  /// Removes the entry of a key, if it exists.
  public func removeObject(for key: String) { self[key] = nil }

  /// Removes all entries.
  public func removeAll() {
    willChange()
    load([])
    didChange()
  }

  /// Adds entries. Existing values are replaced.
  public func merge(_ other: [String: Value]) {
    willChange()
    for (key, value) in other {
      set(value, for: key)
      adopt(value)
      stored?.names.insert(ExactText(key))
    }
    didChange(isAddition: true)
  }

  /// The entries as a dictionary, without deleted objects.
  ///
  /// Swift's `Dictionary` treats keys as equal if they differ only in their Unicode normalization, such as
  /// `"caf\u{E9}"` and `"cafe\u{301}"`. If the map has several such keys, the dictionary contains the value
  /// of the last one.
  public var dictionary: [String: Value] { Dictionary(map { ($0.key, $0.value) }) { _, last in last } }

  private func set(_ value: Value?, for key: String) {
    if largeTable != nil, let large, let value, !large.saveLinked(CollectionOfOne(value)) { return }
    if let table = largeTable, let large {
      if large.isWritable { return large.set(value, of: key, in: table) }
      copy(table, of: large)
    }
    if linked != nil {
      ownLinks()?[key] = value
    } else {
      entries[ExactText(key)] = value
    }
  }

  /// Removes links to deleted objects: links with the given keys, or all if `keys` is nil.
  func drop(keys: Set<[UInt8]>?, _ shouldDrop: (Value) -> Bool) {
    if large != nil { return }
    stored = nil
    if let linked {
      let dropped = linked.slotPlaces(ofKeys: keys, shouldDrop)
      if !dropped.isEmpty { ownLinks()?.takeOut(dropped) }
    } else {
      dropEntries(where: shouldDrop)
    }
  }

  func dropObjects(where isDeleted: (ObjectBase) -> Bool, willDrop: () -> Void) {
    if large != nil { return }
    stored = nil
    if let linked {
      guard linked.hasObject(where: isDeleted) else { return }
      willDrop()
      ownLinks()?.dropObjects(where: isDeleted)
    } else if entries.values.contains(where: { $0.isLink(where: isDeleted) }) {
      willDrop()
      dropEntries { $0.isLink(where: isDeleted) }
    }
  }

  private func dropEntries(where shouldDrop: (Value) -> Bool) {
    for name in entries.keys {
      if let value = entries[name], shouldDrop(value) { entries[name] = Value._linked(nil) }
    }
  }

  private func ownLinks() -> LinkedEntries<Value>? {
    if !isKnownUniquelyReferenced(&linked) { linked = linked?.copy() }
    return linked
  }

  /// - Parameter entries: the new entries. If a key occurs twice, its last entry is used.
  fileprivate func load(_ entries: [(key: String, value: Value)]) {
    stored = nil
    linked = nil
    large = nil
    self.entries = Dictionary(minimumCapacity: entries.count)
    for (key, value) in entries { self.entries[ExactText(key)] = value }
  }

  fileprivate func load(_ other: Map) {
    if let table = other.largeTable, let large = other.large {
      copy(table, of: large)
    } else {
      stored = nil
      // This is a single assignment, because `other` may be this map.
      (entries, linked, large) = (other.entries, other.linked, nil)
    }
    noteUnread(other.unread?.error)
  }

  // MARK: Contents

  /// The tree with the entries, or `nil` if the entries are in memory.
  var largeTable: LargeTable? {
    guard let large else { return nil }
    if let unread, unread.isChanged { return nil }
    if large.isUsable {
      if unread != nil { unread = nil }
      return large.collection as? LargeTable
    }
    do {
      let payload = try large.lastingPayload(of: owner)
      load([])
      unread = nil
      try load(payload: payload, context: large.newestContext(of: owner))
    } catch {
      // The next use tries again.
      self.large = large
      noteUnread(error)
      large.report(error)
    }
    return nil
  }

  /// Copies the entries from a tree into memory, where they can be changed.
  private func copy(_ table: LargeTable, of large: LargeAccess) {
    load([])
    do { try load(payload: try table.payload(), context: large.scope.context) } catch {
      noteUnread(error)
      large.report(error)
    }
  }

  override var largeAccess: LargeAccess? { large }
  override var linkFailure: (any Error)? { linked?.unreadFailure }

  private func load(payload: [UInt8], context: ObjectContext?) throws {
    if Value._linkType != nil {
      linked = try LinkedEntries(payload, context: context)
      return
    }
    try payload.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes, context: context)
      defer { noteUnknown(reader) }
      load(try CollectionCoding.readEntries(Value.self, from: &reader))
    }
  }

  fileprivate func read(of owner: ObjectBase, at offset: Int) {
    stored = nil
    unread = nil
    let failure = owner.readCollection(at: offset) { payload, marker, context, columnID in
      if let marker {
        large = try LargeAccess(marker, of: owner, columnID: columnID)
        if large == nil {
          try load(payload: try owner.largePayload(marker, columnID: columnID), context: context)
        }
      } else {
        try load(payload: Array(payload.record.bytes[payload.range]), context: context)
      }
    }
    noteUnread(failure)
  }

  fileprivate var plainValues: Dictionary<ExactText, Value>.Values { entries.values }

  // MARK: Joining a write

  override func saved() -> OwnedCollection {
    let copy = Map()
    copy.restore(self)
    return copy
  }

  override func restore(_ saved: OwnedCollection) {
    guard let saved = saved as? Map else { return }
    stored = nil
    (entries, linked, large) = (saved.entries, saved.linked, saved.large)
    unread = saved.unread.map { UnreadElements($0.error, isChanged: $0.isChanged, isUnknown: $0.isUnknown) }
    deferredSource = saved.deferredSource
    given = saved.given
  }

  override func forget() {
    load([])
    unread = nil
    deferredSource = nil
    given = nil
  }

  private static func part(_ value: Value) -> EmbeddedObject? {
    Value._elementType.kind == .embedded ? value as? EmbeddedObject : nil
  }

  override var readParts: [EmbeddedObject] { entries.values.compactMap(Self.part) }

  override func keepParts(
    _ former: OwnedCollection,
    isSame: Bool,
    _ body: (EmbeddedObject, EmbeddedObject) -> Void
  ) {
    guard let former = former as? Map else { return }
    stored = nil
    for (key, value) in former.entries {
      guard let part = Self.part(value), let new = entries[key].flatMap(Self.part) else { continue }
      body(part, new)
      entries[key] = value
    }
  }

  fileprivate func sortedEntries() -> [(key: String, value: Value)] {
    let all: [(key: String, value: Value)] =
      if let table = largeTable, let large {
        large.entries(of: table)
      } else {
        linked?.entries ?? entries.map { ($0.key.text, $0.value.withoutDeletedObjects) }
      }
    return all.sorted { $0.key.precedes($1.key) }
  }
}

/// The type of a map's keys, which is text.
public protocol MapKey: Hashable, SendableMetatype {}

extension String: MapKey {}

extension Map: Sequence {
  /// A key and its value.
  public typealias Element = (key: String, value: Value)

  /// Returns an iterator over the current entries in the order of the keys, without deleted objects.
  public func makeIterator() -> IndexingIterator<[Element]> {
    willRead()
    return sortedEntries().makeIterator()
  }

  /// A lower bound of the number of entries; 0 if objects may have been deleted.
  public var underestimatedCount: Int {
    willRead()
    return entries.count
  }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// Creates a map of entries. If a key occurs several times, its last value is used.
  public convenience init(dictionaryLiteral elements: (String, Value)...) {
    self.init()
    load(elements.map { ($0.0, $0.1) })
  }
}

extension Map: CustomStringConvertible {
  /// The entries, formatted like a dictionary.
  public var description: String {
    let entries = map { ValuePrinter.text(of: [$0.key: $0.value]).dropFirst().dropLast() }
    return entries.isEmpty ? "[:]" : "[" + entries.joined(separator: ", ") + "]"
  }
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
    if owner.isDeferred(at: offset) { value.read(of: owner, at: offset) }
    let isAdopted = value.isAdopted(by: owner)
    value.attach(to: owner, at: offset)
    if isAdopted { return }
    if Value._mayNeedAdoption(by: owner) { for element in value.plainValues { element._adopt(by: owner) } }
    value.notePlaces()
  }
  /// Another object's map is copied, so that each owner has its own map.
  public static func _assigned(_ newValue: Map, to owner: ObjectBase) -> Self {
    newValue.willRead()
    let map = Self()
    map.load(newValue)
    if Value.self == AnyRealmValue.self { map.given = NotedObjects(areAll: true) }
    return map
  }
  /// The property keeps its own map instance, because other code may refer to it.
  public static func _replacing(_ value: Map, with newValue: Map, of owner: ObjectBase) -> Map {
    guard value.owner === owner, value !== newValue else { return newValue }
    value.restore(newValue)
    return value
  }
  public static func _deferred(_ source: _DeferredValue) -> Self? {
    let map = Self()
    map.deferredSource = source
    return map
  }
  public func _resolved() throws -> Self {
    guard let source = deferredSource else { return self }
    let map = Self()
    map.load(try source.read { try CollectionCoding.readEntries(Value.self, from: &$0) } ?? [])
    return map
  }
  public var _isUnread: Bool { unread != nil }
  public static var _mayHaveUnknown: Bool { Value._mayBeUnknownElement }
  public func _append(to writer: inout _ValueWriter) throws { try append(to: &writer) }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    let map = Self()
    map.load(try CollectionCoding.readEntries(Value.self, from: &reader))
    return map
  }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    let map = Self()
    if let other = ValueConversion.cast(value, to: Map.self) {
      map.load(other)
      return map
    }
    if ValueConversion.isNil(value) { return map }
    guard let entries = ValueConversion.members(of: value) else {
      throw conversion.wrongType(value, expected: "a dictionary of \(Value._elementType)")
    }
    map.load(
      try entries.map { entry in
        if ValueConversion.isNil(entry.value), let missing = missingValue { return (entry.name, missing) }
        return (entry.name, try Value._convertElement(entry.value, conversion.element(entry.name)))
      }
    )
    return map
  }
}

extension Map {
  /// The value that represents nil in a map of a custom type that is stored as an embedded object, as in a
  /// property; `nil` for other types.
  private static var missingValue: Value? {
    (Value.self as? any CustomPersistable.Type).flatMap { $0._nilValue() as? Value }
  }
}

extension Map: ObjectHoldingCollection {
  func appendHeldObjects(to objects: inout [ObjectBase]) {
    if isKnownUniquelyReferenced(&linked) { linked?.appendHeldObjects(to: &objects) }
  }
}

extension Map: EmbeddedObjectHolder {
  func holds(_ object: EmbeddedObject) -> Bool { readParts.contains { $0 === object } }
  func didChangePart() { stored = nil }
}
