/// An unordered collection without duplicates in a property.
///
/// A set treats two objects as equal if they have the same key. The elements are read when you first access
/// the set, and linked objects when you access them. A large set is stored separately, like a large ``List``.
///
/// A loop over a set visits the elements that the set has when the loop begins, regardless of changes during
/// the loop.
public final class MutableSet<Element: RealmCollectionValue>: _OwnedCollection {
  /// The maximum number of links that are compared one by one. If there are more, they are loaded into
  /// `elements` before a change.
  private static var mostCompared: Int { 1_024 }

  /// The elements, unless they are in `slots` or `large`.
  private(set) var elements: [Element] = []
  /// The identity of each element at its insertion. An object's key may change later.
  private var keys: [ElementKey<Element>] = []
  private var positions: [ElementKey<Element>: Int] = [:]
  /// Whether some elements may be objects that had no key when they were inserted.
  private var hasUnsaved = false
  /// Links whose objects are read when they are accessed.
  private(set) var slots: ElementSlots<Element>?
  /// The set that is stored in a separate tree, in a scope.
  private var large: LargeAccess?

  /// Creates an empty set.
  public override init() {}

  /// Creates a set of elements.
  public init(_ elements: some Sequence<Element>) {
    super.init()
    load(elements)
  }

  /// The number of elements, including links to deleted objects.
  public var count: Int {
    willRead()
    if let table = largeTable { return large?.attempt(0) { try table.existingCount() } ?? 0 }
    return slots?.count ?? elements.count
  }

  /// A Boolean value that indicates whether the set has no elements.
  public var isEmpty: Bool { count == 0 }

  /// Returns a Boolean value that indicates whether the set contains an element. Objects are compared by
  /// their keys, without reading them.
  public func contains(_ element: Element) -> Bool {
    willRead()
    if let table = largeTable, let large {
      return large.attempt(false) {
        guard let bytes = try large.key(of: element) else { return false }
        return try large.forms(of: bytes).contains { try $0.withUnsafeBytes { try table.contains($0) } }
      }
    }
    if let slots { return slots.index(of: element) != nil }
    return position(of: ElementKey(element)) != nil
  }

  private func position(of key: ElementKey<Element>) -> Int? {
    if let position = positions[key] { return position }
    guard hasUnsaved, key.hasRow, hasObjectsSavedMeanwhile else { return nil }
    load(elements)
    return positions[key]
  }

  /// Whether a save has assigned keys to objects that had none when they were inserted.
  private var hasObjectsSavedMeanwhile: Bool {
    zip(keys, elements).contains { key, element in key.hasInstance && key != ElementKey(element) }
  }

  /// Inserts an element, unless the set already contains it.
  public func insert(_ element: Element) {
    prepareToChange()
    if largeTable != nil, let large {
      guard large.saveLinked(CollectionOfOne(element)) else { return }
      // Saving may have moved the elements into the record.
      if largeTable == nil { prepareToChange() }
    }
    var isAddition = true
    if largeTable != nil {
      guard changeLarge(element, isAdded: true) else { return }
    } else if let known = slots?.index(of: element) {
      isAddition = false
      // Looking up the element may change the set.
      guard isMissingLink(at: known, element), let slots = ownSlots(), let place = slots.index(of: element)
      else { return }
      slots.replace(place..<(place + 1), with: [element])
    } else if let slots = ownSlots() {
      slots.replace(slots.count..<slots.count, with: [element])
    } else if !add(element) {
      return
    }
    adopt(element)
    didChange(isAddition: isAddition)
  }

  /// Whether a new object has the same key as a link of an embedded object whose target was deleted.
  private func isMissingLink(at index: Int, _ element: Element) -> Bool {
    guard owner is EmbeddedObject, let object = element as? ObjectBase, !object._wasDeleted else {
      return false
    }
    return slots?.isMissing(at: index) ?? false
  }

  /// Inserts the elements that the set does not contain yet.
  public func insert(objectsIn sequence: some Sequence<Element>) {
    for element in sequence { insert(element) }
  }

  /// Removes an element, if the set contains it.
  public func remove(_ element: Element) {
    prepareToChange()
    if largeTable != nil {
      guard changeLarge(element, isAdded: false) else { return }
    } else if let slots = ownSlots() {
      guard let index = slots.index(of: element) else { return }
      slots.removeUnordered(at: index)
    } else if !removeValue(element) {
      return
    }
    didChange()
  }

  private func removeValue(_ element: Element) -> Bool {
    guard let position = position(of: ElementKey(element)) else { return false }
    positions[keys[position]] = nil
    // The last element moves to the position of the removed one, so removing takes constant time.
    let last = elements.removeLast()
    let lastKey = keys.removeLast()
    if position < elements.count {
      elements[position] = last
      keys[position] = lastKey
      positions[lastKey] = position
    }
    return true
  }

  /// Removes all elements.
  public func removeAll() {
    willChange()
    load([])
    didChange()
  }

  /// Adds the elements of another set.
  public func formUnion(_ other: MutableSet<Element>) { insert(objectsIn: Array(other)) }

  /// Keeps only the elements that are also in another set.
  public func formIntersection(_ other: MutableSet<Element>) {
    willChange()
    for element in Array(self) where !other.contains(element) { remove(element) }
    willChangeUnread()
  }

  /// Removes the elements that are in another set.
  public func subtract(_ other: MutableSet<Element>) {
    for element in Array(other) { remove(element) }
  }

  /// Returns the elements of both sets, as a set that belongs to no object.
  public func union(_ other: MutableSet<Element>) -> MutableSet<Element> {
    let result = MutableSet(self)
    result.formUnion(other)
    return result
  }

  /// Returns the elements that are in both sets, as a set that belongs to no object.
  public func intersection(_ other: MutableSet<Element>) -> MutableSet<Element> {
    MutableSet(filter(other.contains))
  }

  /// Returns the elements that are not in another set, as a set that belongs to no object.
  public func subtracting(_ other: MutableSet<Element>) -> MutableSet<Element> {
    MutableSet(filter { !other.contains($0) })
  }

  /// Returns a Boolean value that indicates whether another set contains every element of this set.
  public func isSubset(of other: MutableSet<Element>) -> Bool { allSatisfy(other.contains) }

  /// Returns a Boolean value that indicates whether the sets have an element in common.
  public func intersects(_ other: MutableSet<Element>) -> Bool { contains(where: other.contains) }

  private func add(_ element: Element) -> Bool {
    let key = ElementKey(element)
    guard position(of: key) == nil else { return false }
    append(element, key)
    return true
  }

  private func append(_ element: Element, _ key: ElementKey<Element>) {
    positions[key] = elements.count
    elements.append(element)
    keys.append(key)
    hasUnsaved = hasUnsaved || key.hasInstance
  }

  /// Removes links to deleted objects: links with the given keys, or all if `keys` is nil.
  func drop(keys: Set<[UInt8]>?, _ shouldDrop: (Element) -> Bool) {
    if large != nil { return }
    stored = nil
    if let slots {
      let dropped = slots.places(ofKeys: keys, shouldDrop)
      if !dropped.isEmpty { ownSlots()?.remove(at: dropped) }
    } else if elements.contains(where: shouldDrop) {
      load(elements.filter { !shouldDrop($0) })
    }
  }

  func dropObjects(where isDeleted: (ObjectBase) -> Bool, willDrop: () -> Void) {
    if large != nil { return }
    stored = nil
    if let slots {
      guard slots.hasObject(where: isDeleted) else { return }
      willDrop()
      guard let own = ownSlots() else { return }
      let given = own.makeUnread(where: isDeleted)
      if !given.isEmpty { own.remove(at: given) }
    } else if elements.contains(where: { $0.isLink(where: isDeleted) }) {
      willDrop()
      load(elements.filter { !$0.isLink(where: isDeleted) })
    }
  }

  fileprivate func load(_ sequence: some Sequence<Element>) {
    stored = nil
    slots = nil
    large = nil
    elements = []
    keys = []
    positions = [:]
    hasUnsaved = false
    for element in sequence {
      let key = ElementKey(element)
      if positions[key] == nil { append(element, key) }
    }
  }

  /// Copies the elements of another set, without reading its objects.
  fileprivate func load(copying other: MutableSet) {
    if let table = other.largeTable, let large = other.large {
      copy(table, of: large)
    } else if let shared = other.slots {
      load([])
      slots = shared
    } else {
      load(other)
    }
    noteUnread(other.unread?.error)
  }

  // MARK: Contents

  /// The tree with the elements, or `nil` if the elements are in memory.
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

  /// Copies the elements from a tree into memory, where they can be changed.
  private func copy(_ table: LargeTable, of large: LargeAccess) {
    load([])
    do { try load(payload: try table.payload(), context: large.scope.context) } catch {
      noteUnread(error)
      large.report(error)
    }
  }

  override var largeAccess: LargeAccess? { large }
  override var linkFailure: (any Error)? { slots?.unreadFailure }

  private func load(payload: [UInt8], context: ObjectContext?) throws {
    if Element._linkType != nil {
      slots = try CollectionCoding.slots(payload, context: context)
      return
    }
    load(
      try payload.withUnsafeBytes { bytes in
        var reader = ValueReader(bytes, context: context)
        defer { noteUnknown(reader) }
        return try CollectionCoding.readElements(Element.self, from: &reader)
      }
    )
  }

  private func changeLarge(_ element: Element, isAdded: Bool) -> Bool {
    guard let large, let table = largeTable else { return false }
    var isChanged = false
    large.change { writer, owner in
      guard let bytes = try isAdded ? large.bytes(of: element) : large.key(of: element) else { return }
      let forms = large.forms(of: bytes)
      // An earlier build may have stored another form.
      if isAdded, try forms.dropFirst().contains(where: { try $0.withUnsafeBytes { try table.contains($0) } })
      {
        return
      }
      for bytes in isAdded ? [bytes] : forms
      where try bytes.withUnsafeBytes({ try writer.change(table, $0, isAdded: isAdded, owner) }) {
        isChanged = true
      }
    }
    return isChanged
  }

  /// Ensures that the elements are in a form that can be changed.
  private func prepareToChange() {
    willChange()
    if let table = largeTable, let large, !large.isWritable { copy(table, of: large) }
    if let slots, slots.count > Self.mostCompared {
      var read: [ObjectBase] = []
      let (all, failure) = watching { Array(self) }
      // A write knows the stored links of its objects.
      if WritingThreads.scopes.isEmpty { slots.appendReadObjects(to: &read) }
      load(all)
      noteStored(read)
      noteUnread(failure)
    }
    willChangeUnread()
  }

  private func ownSlots() -> ElementSlots<Element>? {
    guard slots != nil else { return nil }
    if !isKnownUniquelyReferenced(&slots) { slots = slots?.copy() }
    return slots
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
      } else if Element._linkType != nil {
        slots = try payload.slots(context: context)
      } else {
        load(
          try payload.read(context: context) { reader in
            defer { noteUnknown(reader) }
            return try CollectionCoding.readElements(Element.self, from: &reader)
          }
        )
      }
    }
    noteUnread(failure)
  }

  // MARK: Joining a write

  override func saved() -> OwnedCollection {
    let copy = MutableSet()
    copy.restore(self)
    return copy
  }

  override func restore(_ saved: OwnedCollection) {
    guard let saved = saved as? MutableSet else { return }
    stored = nil
    (elements, keys, positions) = (saved.elements, saved.keys, saved.positions)
    (hasUnsaved, slots, large) = (saved.hasUnsaved, saved.slots, saved.large)
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

  /// Returns the element at a position. Positions are stable until the set changes. Returns `nil` if the
  /// position is out of bounds, or if the object was deleted or cannot be read. In a large set, only the
  /// elements up to the position are read.
  package func element(at place: Int) -> Element? {
    willRead()
    if place < 0 { return nil }
    if let table = largeTable, let large {
      return large.attempt(nil) { try large.element(at: place, in: table) }
    }
    if let slots { return place < slots.count ? slots.element(at: place) : nil }
    return place < elements.count ? elements[place].withoutDeletedObjects : nil
  }

  fileprivate func iterator() -> CollectionIterator<Element> {
    if largeTable != nil, let large { return large.iterator() }
    guard let slots else { return CollectionIterator(elements.withoutDeletedObjects) }
    var index = 0
    return CollectionIterator([]) { slots.batch(from: &index) }
  }
}

extension MutableSet: Sequence {
  /// Returns an iterator over the current elements in no particular order, without deleted objects.
  public func makeIterator() -> CollectionIterator<Element> {
    willRead()
    return iterator()
  }

  /// A lower bound of the number of elements; 0 if elements may have been deleted.
  public var underestimatedCount: Int {
    willRead()
    return elements.count
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MutableSet: Persistable {
  public static var _columnType: ColumnType {
    var type = Element._elementType
    type.container = .set
    return type
  }
  public static func _defaultValue() -> Self { Self() }
  public static var _actsOnFirstRead: Bool { true }
  public static var _attachesToOwner: Bool { true }
  public static func _firstRead(_ value: inout MutableSet, of owner: ObjectBase, at offset: Int) {
    if owner.isDeferred(at: offset) { value.read(of: owner, at: offset) }
    value.attach(to: owner, at: offset)
  }
  /// Another object's set is copied, so that each owner has its own set.
  public static func _assigned(_ newValue: MutableSet, to owner: ObjectBase) -> Self {
    newValue.willRead()
    let set = Self()
    set.load(copying: newValue)
    if Element.self == AnyRealmValue.self { set.given = NotedObjects(areAll: true) }
    return set
  }
  /// The property keeps its own set instance, because other code may refer to it.
  public static func _replacing(_ value: MutableSet, with newValue: MutableSet, of owner: ObjectBase)
    -> MutableSet
  {
    guard value.owner === owner, value !== newValue else { return newValue }
    value.restore(newValue)
    return value
  }
  public static func _deferred(_ source: _DeferredValue) -> Self? {
    let set = Self()
    set.deferredSource = source
    return set
  }
  public func _resolved() throws -> Self {
    guard let source = deferredSource else { return self }
    let set = Self()
    set.load(try source.read { try CollectionCoding.readElements(Element.self, from: &$0) } ?? [])
    return set
  }
  public var _isUnread: Bool { unread != nil }
  public static var _mayHaveUnknown: Bool { Element._mayBeUnknownElement }
  public func _append(to writer: inout _ValueWriter) throws { try append(to: &writer) }
  public static func _read(from reader: inout _ValueReader) throws -> Self {
    let set = Self()
    set.load(try CollectionCoding.readElements(Element.self, from: &reader))
    return set
  }
  public static func _convert(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    let set = Self()
    set.load(try CollectionCoding.convertElements(Element.self, value, conversion))
    return set
  }
}

extension MutableSet: ObjectHoldingCollection {
  func appendHeldObjects(to objects: inout [ObjectBase]) {
    if isKnownUniquelyReferenced(&slots) { slots?.appendHeldObjects(to: &objects) }
  }
}
