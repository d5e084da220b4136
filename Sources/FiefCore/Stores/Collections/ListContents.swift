/// The elements of a list that are not all in memory.
class ListContents<Element: RealmCollectionValue> {
  /// Whether the elements can still be read from this instance.
  var isUsable: Bool { true }
  var count: Int { 0 }
  /// The contents in a form that can be changed, or `nil` if the elements must be copied first.
  var changeable: ListContents? { nil }
  /// The links of the elements, or `nil` for other values.
  var slots: ElementSlots<Element>? { nil }
  func element(at index: Int) -> Element? { nil }
  /// Returns the object at an index, if it is available directly. Otherwise use ``element(at:)``.
  func linkedObject(at index: Int) -> ObjectBase? { nil }
  func index(of element: Element) -> Int? { nil }
  /// Saves the objects among elements that will be inserted. This may change how the list is stored.
  ///
  /// - Returns: whether saving succeeded. A failure ends the write.
  func prepare(_ elements: [Element]) -> Bool { true }
  /// Appends an element.
  ///
  /// - Returns: false if nothing was appended, because ``prepare(_:)`` must be called first.
  func append(_ element: Element) -> Bool { false }
  func replace(_ range: Range<Int>, with elements: [Element]) {}
  /// Removes the elements at some indexes, in ascending order.
  func remove(at places: [Int]) {
    var places = places
    // Adjacent elements are removed together.
    while let last = places.popLast() {
      var first = last
      while places.last == first - 1 {
        first -= 1
        places.removeLast()
      }
      replace(first..<(last + 1), with: [])
    }
  }
  func move(from source: Int, to destination: Int) {}
  func swapAt(_ first: Int, _ second: Int) {}
  func append(to writer: inout ValueWriter) throws {}
  /// Appends the objects to which only this instance refers, as a result of followed links.
  func appendHeldObjects(to objects: inout [ObjectBase]) {}
  func makeIterator() -> CollectionIterator<Element> { CollectionIterator([]) }
}

/// Links whose objects are read when they are accessed.
final class SlotContents<Element: RealmCollectionValue>: ListContents<Element> {
  // Each access is a single read or assignment, so accesses cannot overlap.
  @exclusivity(unchecked) private var shared: ElementSlots<Element>

  init(_ slots: ElementSlots<Element>) { shared = slots }

  override var count: Int { shared.count }
  override var changeable: ListContents<Element>? { self }
  override var slots: ElementSlots<Element>? { shared }

  override func element(at index: Int) -> Element? {
    index >= 0 && index < shared.count ? shared.element(at: index) : nil
  }

  override func linkedObject(at index: Int) -> ObjectBase? {
    index >= 0 && index < shared.count ? shared.object(at: index) : nil
  }

  override func index(of element: Element) -> Int? { shared.index(of: element) }

  override func appendHeldObjects(to objects: inout [ObjectBase]) {
    if isKnownUniquelyReferenced(&shared) { shared.appendHeldObjects(to: &objects) }
  }

  private func makeOwn() { if !isKnownUniquelyReferenced(&shared) { shared = shared.copy() } }

  override func append(_ element: Element) -> Bool {
    makeOwn()
    shared.append(element)
    return true
  }

  override func replace(_ range: Range<Int>, with elements: [Element]) {
    makeOwn()
    shared.replace(range, with: elements)
  }

  override func remove(at places: [Int]) {
    makeOwn()
    shared.remove(at: places)
  }

  override func move(from source: Int, to destination: Int) {
    makeOwn()
    shared.move(from: source, to: destination)
  }

  override func swapAt(_ first: Int, _ second: Int) {
    makeOwn()
    shared.swapAt(first, second)
  }

  func drop(keys: Set<[UInt8]>?, _ isDeleted: (Element) -> Bool) {
    let dropped = shared.places(ofKeys: keys, isDeleted)
    if !dropped.isEmpty { remove(at: dropped) }
  }

  func dropObjects(where isDeleted: (ObjectBase) -> Bool, willDrop: () -> Void) {
    guard shared.hasObject(where: isDeleted) else { return }
    willDrop()
    makeOwn()
    let given = shared.makeUnread(where: isDeleted)
    if !given.isEmpty { shared.remove(at: given) }
  }

  override func append(to writer: inout ValueWriter) throws { try append(0..<count, to: &writer) }

  /// Appends some of the elements as a payload.
  func append(_ places: Range<Int>, to writer: inout ValueWriter) throws {
    var elements = ValueWriter(graph: writer.graph)
    writer.appendCount(try shared.append(places, to: &elements))
    elements.withBytes { writer.append($0) }
  }

  override func makeIterator() -> CollectionIterator<Element> {
    let slots = shared
    var index = 0
    // A list that fits into one batch needs no further reads.
    if slots.count <= ElementSlots<Element>.batch {
      return CollectionIterator(slots.batch(from: &index) ?? [])
    }
    return CollectionIterator([]) { slots.batch(from: &index) }
  }
}

/// A list that is stored in a separate tree, in a scope.
final class LargeListContents<Element: RealmCollectionValue>: ListContents<Element> {
  let access: LargeAccess
  private let list: LargeList
  /// The elements around the position that was accessed last.
  private var leaf: Leaf?

  private struct Leaf {
    let version: Int
    let first: Int
    /// The values. A value is `nil` if the class cannot represent the element.
    let values: [Element?]
    let slots: ElementSlots<Element>?
    var count: Int { slots?.count ?? values.count }
  }

  init?(_ access: LargeAccess) {
    guard let list = access.collection as? LargeList else { return nil }
    self.access = access
    self.list = list
  }

  override var isUsable: Bool { access.isUsable }

  override var count: Int { access.attempt(0) { try list.existingCount() } }

  override var changeable: ListContents<Element>? { access.isWritable ? self : nil }

  /// Returns all elements as a payload.
  func payload() throws -> [UInt8] { try list.payload() }

  private func leaf(at index: Int) throws -> Leaf? {
    if let leaf, leaf.version == access.version, index >= leaf.first, index < leaf.first + leaf.count {
      return leaf
    }
    guard let (first, run) = try list.leaf(at: index) else { return nil }
    let context = access.scope.context
    if Element._linkType != nil {
      let slots = try ElementSlots<Element>(run.bytes, from: 0, count: run.count, context: context)
      slots.access = access
      leaf = Leaf(version: access.version, first: first, values: [], slots: slots)
    } else {
      let values = try CollectionCoding.elements(Element.self, of: run, context: context)
      leaf = Leaf(version: access.version, first: first, values: values, slots: nil)
    }
    return leaf
  }

  override func element(at index: Int) -> Element? {
    guard index >= 0 else { return nil }
    return access.attempt(nil) {
      guard let leaf = try leaf(at: index) else { return nil }
      if let slots = leaf.slots { return slots.element(at: index - leaf.first) }
      return leaf.values[index - leaf.first]?.withoutDeletedObjects
    }
  }

  override func index(of element: Element) -> Int? {
    access.attempt(nil) {
      guard let wanted = try access.key(of: element), try access.mayHave(element) else { return nil }
      let type = access.type
      let hasManyForms = CollectionPayload.hasManyForms(type.kind)
      let identity = CollectionPayload.identity(of: wanted, type: type)
      func isWanted(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.elementsEqual(wanted)
          || hasManyForms && CollectionPayload.identity(of: [UInt8](bytes), type: type) == identity
      }
      var first = 0
      var found: Int?
      try list.forEachRun { run in
        var index = first
        try run.forEach(type: type) { _, bytes in
          if found == nil, isWanted(bytes) { found = index }
          index += 1
        }
        first = index
        return found == nil
      }
      return found
    }
  }

  override func prepare(_ elements: [Element]) -> Bool { access.saveLinked(elements) }

  override func replace(_ range: Range<Int>, with elements: [Element]) {
    access.change { writer, owner in
      try writer.replace(range, of: list, with: try access.run(of: elements), owner)
    }
  }

  override func move(from source: Int, to destination: Int) {
    if source == destination { return }
    access.change { writer, owner in
      try writer.willChange(list)
      // A move keeps the elements, so no backlinks change.
      let moved = try list.elements(source..<(source + 1))
      try list.replace(source..<(source + 1), with: .none)
      try list.replace(destination..<destination, with: moved)
      try writer.didReorderMembers(of: list, owner)
    }
  }

  override func swapAt(_ first: Int, _ second: Int) {
    if first == second { return }
    access.change { writer, owner in
      let one = try list.elements(first..<(first + 1))
      let other = try list.elements(second..<(second + 1))
      if one.bytes == other.bytes { return }
      try writer.willChange(list)
      try list.replace(first..<(first + 1), with: other)
      try list.replace(second..<(second + 1), with: one)
      try writer.didReorderMembers(of: list, owner)
    }
  }

  override func append(to writer: inout ValueWriter) throws {
    writer.append(try list.marker().payload)
  }

  override func makeIterator() -> CollectionIterator<Element> { access.iterator() }
}
