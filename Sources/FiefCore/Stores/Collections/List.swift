/// An ordered collection in a property: of values, of links to objects, or of embedded objects.
///
/// ```swift
/// final class Person: Object {
///   @Persisted var dogs: List<Dog>
/// }
/// person.dogs.append(dog)
/// ```
/// The list has the elements that it had when its object was read. Linked objects are read in batches when
/// you access them: in the scope in which the owner was read, or otherwise in the newest state. A long list
/// is loaded when you first access it. If another write has changed or deleted it in the meantime, the list
/// appears empty, the event handler receives the error, and saving the object fails with
/// ``FiefError/Code/conflict``.
///
/// A list is a collection like an array. In the subscript, an index out of bounds terminates the process as
/// it does in an array. In a write it makes the write fail instead, because another write may have shortened
/// the list. Methods that change the list do nothing if an index is out of bounds, and report this to the
/// store's event handler.
///
/// Iterating with `for`, `map` and similar methods skips deleted objects. The subscript returns a placeholder
/// for an object that was deleted or cannot be read: an object that is not in a store, or the type's default
/// value. The event handler receives the reason. ``first`` and ``last`` are `nil` in this case. ``count``
/// includes deleted objects. If a generic function over collections creates an array from `elements.lazy.map`
/// or similar, pass it `Array(list)`: the standard library terminates the process if such an array has fewer
/// elements than the collection's count.
///
/// A loop over a list visits the elements that the list contained when the loop began. Changes during the
/// loop have no effect on it.
///
/// You can query, filter and sort a list of objects like a type: `person.dogs.where { $0.age > 3 }`; see
/// ``ObjectCollection``.
///
/// A list of a few hundred elements is stored with its owner, and a longer list is stored separately. In a
/// `write { }`, changing one element of a separately stored list writes only that element, whatever the
/// length of the list.
public final class List<Element: RealmCollectionValue>: _OwnedCollection {
  /// The elements, if `contents` is nil.
  private(set) var values: [Element] = []
  // Each access is a single read or assignment, so accesses cannot overlap.
  @exclusivity(unchecked) private(set) var contents: ListContents<Element>?

  /// Creates an empty list.
  public override init() {}

  /// Creates a list of elements.
  public init(_ elements: some Sequence<Element>) {
    self.values = Array(elements)
  }

  /// The number of elements, including links to deleted objects.
  public var count: Int {
    willRead()
    return current?.count ?? values.count
  }

  /// A Boolean value that indicates whether the list has no elements.
  public var isEmpty: Bool { count == 0 }

  /// The first element, or `nil` if the list is empty or the element is a deleted object.
  public var first: Element? { known(at: 0) }

  /// The last element, or `nil` if the list is empty or the element is a deleted object.
  public var last: Element? { known(at: count - 1) }

  /// The indexes of the elements.
  public var indices: Range<Int> { 0..<count }

  /// The element at an index, which must be less than `count`.
  ///
  /// If the object was deleted or cannot be read, the element is a placeholder: an object that is not in a
  /// store, or the type's default value. The store's event handler receives the reason.
  public subscript(index: Int) -> Element {
    get {
      // Most elements are objects of exactly this class. The code avoids an optional element, whose type the
      // runtime would look up in each call.
      willRead()
      if let contents, unread == nil, let object = contents.linkedObject(at: index),
        ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(Element.self)
      {
        // SAFETY: the object is of exactly this class, so both are a single reference.
        return unsafeBitCast(object, to: Element.self)
      }
      return element(at: index)
    }
    set {
      willChange()
      if !indices.contains(index) {
        if knowsCount, failWrite(index, count: count) { return }
        precondition(!knowsCount, "Index out of range")
        return willChangeUnread()
      }
      replace(index..<(index + 1), with: [newValue])
    }
  }

  @inline(never)
  private func element(at index: Int) -> Element { known(at: index) ?? missing(at: index) }

  /// Returns the element at an index, or `nil` if the index is out of bounds or the object was deleted or
  /// cannot be read.
  func known(at index: Int) -> Element? {
    willRead()
    guard let contents = current else {
      return values.indices.contains(index) ? values[index].withoutDeletedObjects : nil
    }
    return contents.element(at: index)
  }

  /// A Boolean value that is false if the store cannot be read, in which case `count` is 0.
  private var knowsCount: Bool {
    if unread != nil { return false }
    return largeAccess == nil || watching { count }.failure == nil
  }

  /// Returns the placeholder for an element that was deleted or cannot be read.
  @inline(never)
  private func missing(at index: Int) -> Element {
    if ReadTracer.isTracing, let element = Element.placeholder { return element }
    let failure = unread?.error ?? largeAccess?.failure ?? linkFailure
    if knowsCount, !indices.contains(index) {
      precondition(failWrite(index, count: count), "Index out of range")
    } else {
      report(failure ?? Self.goneElement)
    }
    if let element = Element.placeholder { return element }
    // A type without a default value has all its elements in `values`, so the index is out of bounds.
    guard let element = first(where: { _ in true }) else { preconditionFailure("Index out of range") }
    return element
  }

  /// Appends an element.
  public func append(_ element: Element) {
    willChange()
    if let contents = current {
      // Most lists of links append without an array for the new element.
      guard contents.append(element) else { return replace(count..<count, with: [element]) }
    } else {
      values.append(element)
    }
    adopt(element)
    didChange(isAddition: true)
  }

  /// Appends the elements of a sequence.
  public func append(objectsIn sequence: some Sequence<Element>) {
    append(contentsOf: sequence)
  }

  /// Appends the elements of a sequence.
  public func append(contentsOf sequence: some Sequence<Element>) {
    willChange()
    replace(count..<count, with: Array(sequence))
  }

  /// Inserts an element before the element at an index, or at the end if the index is `count`.
  public func insert(_ element: Element, at index: Int) {
    willChange()
    guard index >= 0, index <= count else { return reportOutOfBounds(index, count: count) }
    replace(index..<index, with: [element])
  }

  /// Replaces the elements of a range.
  public func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    // The elements may belong to this list.
    let elements = Array(elements)
    willChange()
    let count = count
    guard range.lowerBound >= 0, range.upperBound <= count else {
      return reportOutOfBounds(range.lowerBound < 0 ? range.lowerBound : range.upperBound, count: count)
    }
    replace(range, with: elements)
  }

  /// Removes the element at an index.
  public func remove(at index: Int) {
    willChange()
    guard indices.contains(index) else { return reportOutOfBounds(index, count: count) }
    replace(index..<(index + 1), with: [])
  }

  /// Removes the last element. If the list is empty, this is reported to the store's event handler.
  public func removeLast() {
    willChange()
    let count = count
    if count == 0 { return reportOutOfBounds(-1, count: 0) }
    replace((count - 1)..<count, with: [])
  }

  /// Removes all elements.
  public func removeAll() {
    willChange()
    replace(indices, with: [])
  }

  /// Removes all elements for which `shouldRemove` returns true.
  public func removeAll(where shouldRemove: (Element) throws -> Bool) rethrows {
    willChange()
    if current == nil {
      willChangeUnread()
      // The closure may read the list.
      let kept = try values.filter { try !shouldRemove($0) }
      if kept.count == values.count { return }
      values = kept
      return didChange()
    }
    var removed: [Int] = []
    let all = count
    for index in 0..<all {
      if let element = known(at: index), try shouldRemove(element) { removed.append(index) }
    }
    if removed.isEmpty { return }
    // If the closure has changed the list in the meantime, these changes are kept.
    guard count == all else { return reportOutOfBounds(all, count: count) }
    if let contents = changeable() {
      contents.remove(at: removed)
    } else {
      // The elements of a large list in a scope are in memory from here on.
      let gone = Set(removed)
      values = values.indices.filter { !gone.contains($0) }.map { values[$0] }
    }
    didChange()
  }

  /// Moves the element at one index to another index.
  public func move(from source: Int, to destination: Int) {
    willChange()
    guard indices.contains(source), indices.contains(destination) else {
      return reportOutOfBounds(indices.contains(source) ? destination : source, count: count)
    }
    if let contents = changeable() {
      contents.move(from: source, to: destination)
    } else {
      values.insert(values.remove(at: source), at: destination)
    }
    didChange()
  }

  /// Exchanges the elements at two indexes.
  public func swapAt(_ first: Int, _ second: Int) {
    willChange()
    guard indices.contains(first), indices.contains(second) else {
      return reportOutOfBounds(indices.contains(first) ? second : first, count: count)
    }
    if let contents = changeable() { contents.swapAt(first, second) } else { values.swapAt(first, second) }
    didChange()
  }

  /// Returns the index of the first equal element, or `nil` if there is no equal element. Objects are
  /// compared by their keys, without reading them.
  ///
  /// The elements are compared one by one. In a scope, backlinks can show without a search that a long list
  /// does not contain an object.
  public func index(of element: Element) -> Int? {
    willRead()
    if let contents = current { return contents.index(of: element) }
    return values.firstIndex { Element._areEqual($0, element) }
  }

  // MARK: Contents

  /// The contents that are not in `values`, read again if necessary.
  var current: ListContents<Element>? {
    guard let contents else { return nil }
    if let unread, unread.isChanged { return nil }
    if contents.isUsable {
      if unread != nil { unread = nil }
      return contents
    }
    readAgain()
    return unread == nil ? self.contents : nil
  }

  /// Reads the elements that the owner had at the end of a scope, or after another change has replaced the
  /// list. If the read fails, the next use tries again.
  private func readAgain() {
    guard let large = contents as? LargeListContents<Element> else { return }
    do {
      let payload = try large.access.lastingPayload(of: owner)
      unread = nil
      try load(payload, context: large.access.newestContext(of: owner))
    } catch {
      contents = large
      noteUnread(error)
      large.access.report(error)
    }
  }

  /// Copies the elements from a tree into memory, where they can be changed.
  private func copy(_ large: LargeListContents<Element>) {
    do { try load(try large.payload(), context: large.access.scope.context) } catch {
      noteUnread(error)
      large.access.report(error)
    }
  }

  override var largeAccess: LargeAccess? { (contents as? LargeListContents<Element>)?.access }
  override var linkFailure: (any Error)? { (contents as? SlotContents<Element>)?.slots?.unreadFailure }

  /// Returns the contents in a form that can be changed, or `nil` if the elements are in `values`.
  private func changeable() -> ListContents<Element>? {
    guard let contents = current else { return nil }
    guard let own = contents.changeable else {
      if let large = contents as? LargeListContents<Element> { copy(large) }
      return self.contents
    }
    if own !== contents { self.contents = own }
    return own
  }

  // The parameter is an array, because the runtime would look up a generic collection type in each call.
  private func replace(_ range: Range<Int>, with elements: [Element]) {
    if !elements.isEmpty, let contents = current {
      guard contents.prepare(elements) else { return }
      guard contents === current || range.upperBound <= count else {
        return reportOutOfBounds(range.upperBound, count: count)
      }
    }
    let isAddition: Bool
    if let contents = changeable() {
      isAddition = stored != nil && range.isEmpty && range.lowerBound == contents.count
      contents.replace(range, with: elements)
    } else {
      isAddition = range.isEmpty && range.lowerBound == values.count
      values.replaceSubrange(range, with: elements)
    }
    for element in elements { adopt(element) }
    didChange(isAddition: isAddition)
  }

  /// Removes links to deleted objects: links with the given keys, or all if `keys` is nil.
  func drop(keys: Set<[UInt8]>?, _ shouldDrop: (Element) -> Bool) {
    stored = nil
    if let contents = contents as? SlotContents<Element> {
      contents.drop(keys: keys, shouldDrop)
    } else if contents == nil {
      values.removeAll(where: shouldDrop)
    }
  }

  func dropObjects(where isDeleted: (ObjectBase) -> Bool, willDrop: () -> Void) {
    stored = nil
    if let contents = contents as? SlotContents<Element> {
      contents.dropObjects(where: isDeleted, willDrop: willDrop)
    } else if contents == nil, values.contains(where: { $0.isLink(where: isDeleted) }) {
      willDrop()
      values.removeAll { $0.isLink(where: isDeleted) }
    }
  }

  func load(_ elements: [Element]) {
    stored = nil
    values = elements
    contents = nil
  }

  /// Loads the elements of a payload. Objects are read later.
  func load(_ payload: [UInt8], context: ObjectContext?) throws {
    stored = nil
    contents = nil
    values = []
    if payload.isEmpty { return }
    guard Element._linkType != nil else {
      values = try payload.withUnsafeBytes { buffer in
        var reader = ValueReader(buffer, context: context)
        defer { noteUnknown(reader) }
        return try CollectionCoding.readElements(Element.self, from: &reader)
      }
      return
    }
    contents = SlotContents(try CollectionCoding.slots(payload, context: context))
  }

  func load(_ other: List) {
    stored = nil
    contents = nil
    values = []
    switch other.current {
    case let large as LargeListContents<Element>: copy(large)
    case let known?: contents = known.slots.map { SlotContents($0) }
    case nil: values = other.values
    }
    noteUnread(other.unread?.error)
  }

  func read(of owner: ObjectBase, at offset: Int) {
    stored = nil
    unread = nil
    let failure = owner.readCollection(at: offset) { payload, marker, context, columnID in
      if let marker {
        if !Element.lacksPlaceholder, let access = try LargeAccess(marker, of: owner, columnID: columnID),
          let large = LargeListContents<Element>(access)
        {
          contents = large
        } else {
          try load(try owner.largePayload(marker, columnID: columnID), context: context)
        }
      } else if Element._linkType != nil {
        contents = SlotContents(try payload.slots(context: context))
      } else {
        values = try payload.read(context: context) { reader in
          defer { noteUnknown(reader) }
          return try CollectionCoding.readElements(Element.self, from: &reader)
        }
      }
    }
    noteUnread(failure)
  }

  var plainValues: [Element] { contents == nil ? values : [] }

  // MARK: Joining a write

  override func saved() -> OwnedCollection {
    let copy = List()
    copy.restore(self)
    return copy
  }

  override func restore(_ saved: OwnedCollection) {
    guard let saved = saved as? List else { return }
    stored = nil
    values = saved.values
    contents = (saved.contents as? SlotContents<Element>)?.slots.map { SlotContents($0) } ?? saved.contents
    unread = saved.unread.map { UnreadElements($0.error, isChanged: $0.isChanged, isUnknown: $0.isUnknown) }
    deferredSource = saved.deferredSource
    given = saved.given
  }

  override func forget() {
    stored = nil
    values = []
    contents = nil
    unread = nil
    deferredSource = nil
    given = nil
  }

  override var readParts: [EmbeddedObject] {
    contents == nil && Element.self is EmbeddedObject.Type ? values.compactMap { $0 as? EmbeddedObject } : []
  }

  override func keepParts(
    _ former: OwnedCollection,
    isSame: Bool,
    _ body: (EmbeddedObject, EmbeddedObject) -> Void
  ) {
    stored = nil
    let (old, new) = (former.readParts, readParts)
    for (place, other) in EmbeddedPairs(old, new, isSame: isSame).pairs {
      guard let part = old[place] as? Element else { continue }
      body(old[place], new[other])
      values[other] = part
    }
  }
}

extension List: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// The index of the first element, which is 0.
  public var startIndex: Int { 0 }

  /// The index after the last element, which is `count`.
  public var endIndex: Int { count }

  /// Returns an iterator over the current elements, without deleted objects.
  public func makeIterator() -> CollectionIterator<Element> {
    willRead()
    guard let contents = current else { return CollectionIterator(values.withoutDeletedObjects) }
    return contents.makeIterator()
  }

  /// A lower bound of the number of elements; 0 if elements may have been deleted.
  public var underestimatedCount: Int {
    willRead()
    return contents == nil ? values.count : 0
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // `contains(_:)` compares values in the same way as the store, which differs from Swift.
  public func _customContainsEquatableElement(_ element: Element) -> Bool? {
    Element._linkType == nil ? index(of: element) != nil : nil
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // `firstIndex(of:)` compares values in this way too.
  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? {
    Element._linkType == nil ? .some(index(of: element)) : nil
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // The default implementation expects `count` elements and terminates the process if some were deleted.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    willRead()
    if current == nil { return ContiguousArray(values.withoutDeletedObjects) }
    var result: ContiguousArray<Element> = []
    for element in self { result.append(element) }
    return result
  }
}
