/// An unordered collection without duplicates in a property.
///
/// Two objects are the same to a set when they have the same key. The elements are read when the set is
/// first touched.
public final class MutableSet<Element: RealmCollectionValue>: OwnedCollection {
  private var elements: [Element] = []
  /// What each element was told apart by when it was put in. An object's key may change later.
  private var keys: [ElementKey<Element>] = []
  private var positions: [ElementKey<Element>: Int] = [:]
  /// Whether there may be objects among the elements that had no key when they were put in.
  private var hasUnsaved = false

  /// Makes an empty set.
  public override init() {}

  /// Makes a set of elements.
  public init(_ elements: some Sequence<Element>) {
    super.init()
    load(elements)
  }

  /// The number of elements.
  public var count: Int { elements.count }

  /// Whether there is no element.
  public var isEmpty: Bool { elements.isEmpty }

  /// Whether the element is in the set.
  public func contains(_ element: Element) -> Bool { position(of: ElementKey(element)) != nil }

  private func position(of key: ElementKey<Element>) -> Int? {
    if let position = positions[key] { return position }
    guard hasUnsaved, key.isRow else { return nil }
    // A save has given keys to objects meanwhile.
    load(elements)
    return positions[key]
  }

  /// Adds an element that is not in the set yet.
  public func insert(_ element: Element) {
    guard add(element) else { return }
    adopt(element)
    didChange()
  }

  /// Adds the elements that are not in the set yet.
  public func insert(objectsIn sequence: some Sequence<Element>) {
    for element in sequence { insert(element) }
  }

  /// Removes an element, if it is there.
  public func remove(_ element: Element) {
    guard let position = position(of: ElementKey(element)) else { return }
    positions[keys[position]] = nil
    // The last takes the place of the removed one, so that removing takes constant time.
    let last = elements.removeLast()
    let lastKey = keys.removeLast()
    if position < elements.count {
      elements[position] = last
      keys[position] = lastKey
      positions[lastKey] = position
    }
    didChange()
  }

  /// Removes every element.
  public func removeAll() {
    load([])
    didChange()
  }

  /// Adds the elements of another set.
  public func formUnion(_ other: MutableSet<Element>) { insert(objectsIn: Array(other)) }

  /// Keeps only the elements that another set has too.
  public func formIntersection(_ other: MutableSet<Element>) {
    for element in Array(self) where !other.contains(element) { remove(element) }
  }

  /// Removes the elements that another set has.
  public func subtract(_ other: MutableSet<Element>) {
    for element in Array(other) { remove(element) }
  }

  /// Whether every element is in another set.
  public func isSubset(of other: MutableSet<Element>) -> Bool { allSatisfy(other.contains) }

  /// Whether the sets share an element.
  public func intersects(_ other: MutableSet<Element>) -> Bool { contains(where: other.contains) }

  private func add(_ element: Element) -> Bool {
    let key = ElementKey(element)
    guard position(of: key) == nil else { return false }
    positions[key] = elements.count
    elements.append(element)
    keys.append(key)
    hasUnsaved = hasUnsaved || key.isInstance
    return true
  }

  func drop(_ shouldDrop: (Element) -> Bool) { load(elements.filter { !shouldDrop($0) }) }

  fileprivate func load(_ sequence: some Sequence<Element>) {
    elements = []
    keys = []
    positions = [:]
    hasUnsaved = false
    for element in sequence { _ = add(element) }
  }
}

extension MutableSet: Sequence {
  /// An iterator over the elements as they are now, in no particular order.
  public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

  /// The number of elements.
  public var underestimatedCount: Int { elements.count }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// Makes a set of elements.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MutableSet: CustomStringConvertible {
  /// The elements as an array writes them.
  public var description: String { PrintedValue.text(of: elements) }
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
    if let elements = CollectionCoding.elements(Element.self, of: owner, at: offset) { value.load(elements) }
    value.attach(to: owner, at: offset)
  }
  /// Another object's set is copied, so that each owner has one of its own.
  public static func _assigned(_ newValue: MutableSet, to owner: ObjectBase) -> Self {
    let set = Self()
    set.load(newValue)
    return set
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
  public func _append(to writer: inout ValueWriter) throws {
    // In the order of the bytes, so that equal sets are equal records.
    let sorted = try elements.map { element in
      var payload = ValueWriter(graph: writer.graph)
      try element._appendElement(to: &payload)
      return payload.bytes
    }.sorted { $0.lexicographicallyPrecedes($1) }
    // Objects that got the same key after they were put in are one object to the store.
    let distinct = sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }
    writer.appendCount(distinct.count)
    for bytes in distinct.map({ sorted[$0] }) {
      CollectionPayload.appendElement(of: Element._elementType, to: &writer) {
        $0.append(bytes)
      }
    }
  }
  public static func _read(from reader: inout ValueReader) throws -> Self {
    let set = Self()
    set.load(try CollectionCoding.readElements(Element.self, from: &reader))
    return set
  }
  public static func _convert(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    let set = Self()
    set.load(try CollectionCoding.convertElements(Element.self, value, conversion))
    return set
  }
}
