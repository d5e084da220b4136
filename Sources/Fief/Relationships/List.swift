/// An ordered collection in a property: of values, of links to objects, or of embedded objects.
///
/// ```swift
/// final class Person: Object {
///   @Persisted var dogs: List<Dog>
/// }
/// person.dogs.append(dog)
/// ```
/// The elements are read when the list is first touched. Links to objects that are gone are left out.
/// An index out of bounds never traps: such a read gives nil, such a change does nothing and is reported
/// to the event handler of the store.
public final class List<Element: RealmCollectionValue>: OwnedCollection {
  private var elements: [Element] = []

  /// Makes an empty list.
  public override init() {}

  /// Makes a list of elements.
  public init(_ elements: some Sequence<Element>) {
    self.elements = Array(elements)
  }

  /// The number of elements.
  public var count: Int { elements.count }

  /// Whether there is no element.
  public var isEmpty: Bool { elements.isEmpty }

  /// The first element, nil where there is none.
  public var first: Element? { elements.first }

  /// The last element, nil where there is none.
  public var last: Element? { elements.last }

  /// The element at an index, nil beyond the ends.
  public subscript(index: Int) -> Element? {
    get { elements.indices.contains(index) ? elements[index] : nil }
    set {
      guard elements.indices.contains(index) else { return reportOutOfBounds(index, count: count) }
      if let newValue {
        elements[index] = newValue
        adopt(newValue)
      } else {
        elements.remove(at: index)
      }
      didChange()
    }
  }

  /// Adds an element at the end.
  public func append(_ element: Element) {
    elements.append(element)
    adopt(element)
    didChange()
  }

  /// Adds elements at the end.
  public func append(objectsIn sequence: some Sequence<Element>) {
    append(contentsOf: sequence)
  }

  /// Adds elements at the end.
  public func append(contentsOf sequence: some Sequence<Element>) {
    for element in sequence {
      elements.append(element)
      adopt(element)
    }
    didChange()
  }

  /// Inserts an element before the one at an index; at `count` it becomes the last.
  public func insert(_ element: Element, at index: Int) {
    guard index >= 0, index <= elements.count else { return reportOutOfBounds(index, count: count) }
    elements.insert(element, at: index)
    adopt(element)
    didChange()
  }

  /// Removes the element at an index.
  public func remove(at index: Int) {
    guard elements.indices.contains(index) else { return reportOutOfBounds(index, count: count) }
    elements.remove(at: index)
    didChange()
  }

  /// Removes the last element, if there is one.
  public func removeLast() {
    guard !elements.isEmpty else { return }
    elements.removeLast()
    didChange()
  }

  /// Removes every element.
  public func removeAll() {
    elements.removeAll()
    didChange()
  }

  /// Removes every element for which `shouldRemove` is true.
  public func removeAll(where shouldRemove: (Element) throws -> Bool) rethrows {
    try elements.removeAll(where: shouldRemove)
    didChange()
  }

  /// Moves the element at one index to another.
  public func move(from source: Int, to destination: Int) {
    guard elements.indices.contains(source), elements.indices.contains(destination) else {
      return reportOutOfBounds(elements.indices.contains(source) ? destination : source, count: count)
    }
    elements.insert(elements.remove(at: source), at: destination)
    didChange()
  }

  /// Exchanges the elements at two indexes.
  public func swapAt(_ first: Int, _ second: Int) {
    guard elements.indices.contains(first), elements.indices.contains(second) else {
      return reportOutOfBounds(elements.indices.contains(first) ? second : first, count: count)
    }
    elements.swapAt(first, second)
    didChange()
  }

  /// The index of the first element that is the same, nil where there is none.
  public func index(of element: Element) -> Int? {
    elements.firstIndex { Element._areEqual($0, element) }
  }

  func drop(_ shouldDrop: (Element) -> Bool) { elements.removeAll(where: shouldDrop) }

  fileprivate func load(_ elements: [Element]) { self.elements = elements }
  fileprivate var contents: [Element] { elements }
}

extension List: Sequence {
  /// An iterator over the elements as they are now.
  public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

  /// The number of elements.
  public var underestimatedCount: Int { elements.count }
}

extension List: ExpressibleByArrayLiteral {
  /// Makes a list of elements.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: CustomStringConvertible {
  /// The elements as an array writes them.
  public var description: String { PrintedValue.text(of: elements) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension List: Persistable {
  public static var _columnType: ColumnType {
    var type = Element._elementType
    type.container = .list
    return type
  }
  public static func _defaultValue() -> Self { Self() }
  public static var _actsOnFirstRead: Bool { true }
  public static var _attachesToOwner: Bool { true }
  public static func _firstRead(_ value: inout List, of owner: ObjectBase, at offset: Int) {
    if let elements = CollectionCoding.elements(Element.self, of: owner, at: offset) { value.load(elements) }
    value.attach(to: owner, at: offset)
    for element in value.contents { element._adopt(by: owner) }
  }
  /// Another object's list is copied, so that each owner has one of its own.
  public static func _assigned(_ newValue: List, to owner: ObjectBase) -> Self {
    let list = Self()
    list.load(newValue.contents)
    return list
  }
  public static func _deferred(_ source: _DeferredValue) -> Self? {
    let list = Self()
    list.deferredSource = source
    return list
  }
  public func _resolved() throws -> Self {
    guard let source = deferredSource else { return self }
    let list = Self()
    list.load(try source.read { try CollectionCoding.readElements(Element.self, from: &$0) } ?? [])
    return list
  }
  public func _append(to writer: inout ValueWriter) throws {
    try CollectionCoding.append(elements, to: &writer)
  }
  public static func _read(from reader: inout ValueReader) throws -> Self {
    let list = Self()
    list.load(try CollectionCoding.readElements(Element.self, from: &reader))
    return list
  }
  public static func _convert(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    let list = Self()
    list.load(try CollectionCoding.convertElements(Element.self, value, conversion))
    return list
  }
}
