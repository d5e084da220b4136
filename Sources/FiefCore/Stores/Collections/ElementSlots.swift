import LMDB

/// A state of a write. An object that does not exist in one state may exist in another.
// Declared outside the generic class. For a nested type, the runtime would look up the metadata at each use.
private struct Search: Equatable {
  let write: ObjectIdentifier
  let savedGraphs: Int
}

/// The elements of a collection of links. They are read in batches when they are accessed.
///
/// A collection and its iterators share one instance. A change first makes its own copy. Reading an object is
/// not a change.
final class ElementSlots<Element: RealmCollectionValue> {
  /// The number of objects that are read at a time.
  static var batch: Int { 64 }
  /// The minimum number of objects for which it pays to sort their keys first.
  private static var fewest: Int { 8 }

  // An object is used on one thread. No object is released while this property changes, because its `deinit`
  // may read the property.
  @exclusivity(unchecked) private(set) var slots: [LinkSlot]
  /// The number of objects in the last read, and the index after the last of them.
  @exclusivity(unchecked) private var window = 1
  @exclusivity(unchecked) private var expected = -1
  /// The error of the last failed read of objects.
  @exclusivity(unchecked) private var failure: (any Error)?
  /// The state of the write in which the missing slots were last looked up.
  @exclusivity(unchecked) private var failedSearch: Search?
  @exclusivity(unchecked) private var mayHaveMissing = false
  /// The large collection that contains the elements. It also receives failures.
  @exclusivity(unchecked) var access: LargeAccess?
  private let bytes: [UInt8]
  private let context: ObjectContext?

  init(_ slots: [LinkSlot], bytes: [UInt8], context: ObjectContext?) {
    self.slots = slots
    self.bytes = bytes
    self.context = context
  }

  /// - Parameter offset: the offset of the elements in `bytes`.
  convenience init(_ bytes: [UInt8], from offset: Int, count: Int, context: ObjectContext?) throws {
    var slots: [LinkSlot] = []
    let type = Element._payloadType
    try bytes.withUnsafeBytes { buffer in
      slots.reserveCapacity(Swift.min(count, buffer.count))
      var reader = ValueReader(UnsafeRawBufferPointer(rebasing: buffer[offset...]), context: nil)
      for _ in 0..<count {
        let element = try CollectionPayload.readElement(of: type, from: &reader)
        slots.append(LinkSlot(start: buffer.count - reader.rest.count - element.count, count: element.count))
      }
    }
    self.init(slots, bytes: bytes, context: context)
  }

  var count: Int { slots.count }

  /// The error of an object that could not be read, or `nil` if all objects could be read.
  var unreadFailure: (any Error)? {
    guard let failure, slots.contains(where: { !$0.isKnown }) else { return nil }
    return failure
  }

  func copy() -> ElementSlots {
    let copy = ElementSlots(slots, bytes: bytes, context: context)
    copy.failedSearch = failedSearch
    copy.mayHaveMissing = mayHaveMissing
    return copy
  }

  private var search: Search? {
    guard let write = context?.readingScope as? WriteTransaction else { return nil }
    return Search(write: ObjectIdentifier(write), savedGraphs: write.savedGraphs)
  }

  /// Whether a slot must be looked up. A missing object is looked up again after the write has saved
  /// something or has ended.
  private func isUnread(_ slot: LinkSlot) -> Bool {
    !slot.isResolved && !(slot.isMissing && failedSearch == search)
  }

  /// Returns the element at an index, or `nil` if its object was deleted.
  func element(at index: Int) -> Element? {
    if isUnread(slots[index]) { read(at: index) }
    return Self.element(slots[index])
  }

  /// Returns the object at an index, or `nil` if the element is nil or its object was deleted or could not be
  /// read.
  func object(at index: Int) -> ObjectBase? {
    if isUnread(slots[index]) { read(at: index) }
    return slots[index].object
  }

  private func read(at index: Int) {
    // Sequential access reads ahead; random access does not.
    window = index == expected ? Swift.min(window * 8, Self.batch) : 1
    resolve(from: index, count: window)
    expected = index + window
  }

  private static func element(_ slot: LinkSlot) -> Element? {
    slot.isKnown ? Element._linked(slot.object) : nil
  }

  /// Returns the existing elements of the next batch, and advances the index.
  func batch(from index: inout Int) -> [Element]? {
    var known = slots
    guard index < known.count else { return nil }
    let end = Swift.min(index + Self.batch, known.count)
    if known[index..<end].contains(where: isUnread) {
      // Releases the array first, so that changing the slots does not copy them.
      known = []
      resolve(from: index, count: Self.batch)
      known = slots
    }
    var elements: [Element] = []
    elements.reserveCapacity(end - index)
    // Reading objects may have changed the collection.
    while index < Swift.min(end, known.count) {
      if let element = Self.element(known[index]) { elements.append(element) }
      index += 1
    }
    return elements
  }

  private func resolve(from first: Int, count: Int) {
    guard let context, let target = Element._linkType else { return }
    let end = Swift.min(first + count, slots.count)
    let isOptional = target != Element.self
    let search = search
    let isFinal = search == nil
    if mayHaveMissing, failedSearch != search {
      for place in slots.indices where slots[place].isMissing { slots[place].startAgain() }
      mayHaveMissing = false
    }
    failedSearch = search
    do {
      try bytes.withUnsafeBytes { buffer in
        if end - first <= Self.fewest, context.known == nil {
          try context.reading(target) { load in
            for place in first..<end {
              guard let slot = slot(at: place), !slot.isKnown else { continue }
              let key = slot.key(buffer, isOptional: isOptional)
              set(try key.flatMap { try load($0) }, at: place, isFinal: isFinal || key == nil)
            }
          }
          return
        }
        var keys: [UnsafeRawBufferPointer] = []
        var places: [Int] = []
        for place in first..<end where !slots[place].isKnown {
          if let key = slots[place].key(buffer, isOptional: isOptional) {
            keys.append(key)
            places.append(place)
          } else {
            set(nil, at: place, isFinal: true)
          }
        }
        let objects = try context.objects(of: target, keys: keys)
        for (place, object) in zip(places, objects) { set(object, at: place, isFinal: isFinal) }
      }
    } catch {
      failure = error
      access?.note(error)
      context.report(error, type: target.className(), property: nil)
    }
  }

  private func slot(at place: Int) -> LinkSlot? { place < slots.count ? slots[place] : nil }

  private func set(_ object: ObjectBase?, at place: Int, isFinal: Bool) {
    // Reading objects may have changed the collection.
    guard place < slots.count else { return }
    slots[place].resolve(object, isFinal: isFinal)
    if slots[place].isMissing { mayHaveMissing = true }
  }

  /// Appends the objects that were read or inserted, without reading further objects.
  func appendHeldObjects(to objects: inout [ObjectBase]) {
    for slot in slots { if let object = slot.object { objects.append(object) } }
  }

  /// Appends the objects of the elements that were read and not inserted.
  func appendReadObjects(to objects: inout [ObjectBase]) {
    for index in slots.indices where slots[index].count >= 0 {
      if let object = object(at: index) { objects.append(object) }
    }
  }

  /// The objects that were inserted since the collection was read.
  var insertedObjects: [ObjectBase] { slots.compactMap { $0.count < 0 ? $0.object : nil } }

  // MARK: Changes

  func append(_ element: Element) {
    guard Element._linkType == Element.self else { return slots.append(LinkSlot(element as? ObjectBase)) }
    // SAFETY: an element whose link type is its own type is a reference to an object of that class, which the
    // caller keeps alive. A dynamic cast would take longer than the rest of the method.
    let address = unsafeBitCast(element, to: UnsafeRawPointer.self)
    slots.append(LinkSlot(Unmanaged<ObjectBase>.fromOpaque(address).takeUnretainedValue()))
  }

  func replace(_ range: Range<Int>, with elements: [Element]) {
    let removed = slots[range].map(\.object)
    slots.replaceSubrange(range, with: elements.map { LinkSlot($0 as? ObjectBase) })
    withExtendedLifetime(removed) {}
  }

  func move(from source: Int, to destination: Int) {
    slots.insert(slots.remove(at: source), at: destination)
  }

  func swapAt(_ first: Int, _ second: Int) { slots.swapAt(first, second) }

  /// Removes the element at an index and moves the last element to its place.
  func removeUnordered(at index: Int) {
    slots.swapAt(index, slots.count - 1)
    slots.removeLast()
  }

  /// Removes the elements at some indexes, in ascending order.
  func remove(at places: [Int]) {
    var removed: [ObjectBase?] = []
    removed.reserveCapacity(places.count)
    var kept: [LinkSlot] = []
    kept.reserveCapacity(slots.count - places.count)
    var next = places.makeIterator()
    var place = next.next()
    for (index, slot) in slots.enumerated() {
      if index == place {
        removed.append(slot.object)
        place = next.next()
      } else {
        kept.append(slot)
      }
    }
    slots = kept
    withExtendedLifetime(removed) {}
  }

  /// Returns the indexes of links to deleted objects: links with the given keys, or all if `keys` is nil.
  func places(ofKeys keys: Set<[UInt8]>?, _ isDeleted: (Element) -> Bool) -> [Int] {
    let type = Element._payloadType
    let only = keys?.count == 1 ? keys?.first : nil
    return bytes.withUnsafeBytes { buffer in
      slots.indices.filter { index in
        let slot = slots[index]
        if slot.object != nil, let element = Self.element(slot) { return isDeleted(element) }
        guard slot.count >= 0, let value = slot.key(buffer, isOptional: type.isOptional) else { return false }
        guard let keys else { return true }
        return only.map { value.elementsEqual($0) } ?? keys.contains([UInt8](value))
      }
    }
  }

  /// Whether any object that was read or inserted meets a condition.
  func hasObject(where isWanted: (ObjectBase) -> Bool) -> Bool {
    slots.contains { $0.object.map(isWanted) ?? false }
  }

  /// Marks links to matching objects as unread, so that the next read looks up the objects by their keys.
  ///
  /// - Returns: the indexes of inserted objects without keys in this collection, which stay unchanged.
  func makeUnread(where isWanted: (ObjectBase) -> Bool) -> [Int] {
    var given: [Int] = []
    var released: [ObjectBase] = []
    for index in slots.indices {
      guard let object = slots[index].object, isWanted(object) else { continue }
      if slots[index].makeUnread() { released.append(object) } else { given.append(index) }
    }
    withExtendedLifetime(released) {}
    return given
  }

  // MARK: Lookups

  /// Whether no object has an element's key in the write in which the collection is read.
  func isMissing(at index: Int) -> Bool {
    guard slots[index].object == nil, slots[index].count >= 0, search != nil else { return false }
    _ = element(at: index)
    return slots[index].isMissing
  }

  /// Returns the index of an equal element, without reading the others.
  func index(of element: Element) -> Int? {
    let key = (element as? ObjectBase).flatMap { context?.key(of: $0, as: Element._linkType) }
    let type = Element._payloadType
    return bytes.withUnsafeBytes { buffer in
      slots.firstIndex { slot in
        if slot.count >= 0, let key {
          return slot.key(buffer, isOptional: type.isOptional)?.elementsEqual(key) ?? false
        }
        if slot.isResolved { return Self.element(slot).map { Element._areEqual($0, element) } ?? false }
        guard type.isOptional, slot.key(buffer, isOptional: true) == nil, let none = Element._linked(nil)
        else {
          return false
        }
        return Element._areEqual(none, element)
      }
    }
  }

  // MARK: Writing

  /// Whether the keys identify the same objects in the store of a save.
  private func isOfStore(of graph: ObjectGraph?) -> Bool {
    guard let graph, let store = context?.store else { return false }
    return store.isSame(as: graph.store)
  }

  /// Appends some elements in the form of a payload, without their number. Unread elements whose bytes follow
  /// one another are copied together.
  ///
  /// - Returns: the number of elements.
  func append(_ places: Range<Int>, to writer: inout ValueWriter) throws -> Int {
    let graph = writer.graph
    let type = Element._payloadType
    let isOwn = isOfStore(of: graph)
    var count = 0
    var next = places.lowerBound
    while next < places.upperBound {
      var end = next
      if isOwn {
        bytes.withUnsafeBytes { buffer in
          guard var run = slots[next].unreadBytes(buffer) else { return }
          end += 1
          while end < places.upperBound, let more = slots[end].unreadBytes(buffer),
            more.lowerBound == run.upperBound
          {
            run = run.lowerBound..<more.upperBound
            end += 1
          }
          writer.append(UnsafeRawBufferPointer(rebasing: buffer[run]))
        }
      }
      if end > next {
        count += end - next
        next = end
        graph?.noteCopiedLinks()
        continue
      }
      end = places.upperBound
      if isOwn {
        bytes.withUnsafeBytes { buffer in
          end = next + 1
          while end < places.upperBound, slots[end].unreadBytes(buffer) == nil { end += 1 }
        }
      }
      try forEachRaw(at: next..<end, graph: graph) { _, bytes in
        CollectionPayload.append(bytes, type: type, to: &writer)
        count += 1
      }
      next = end
    }
    return count
  }

  /// Calls `body` with the indexes and bytes of some elements, in the form of
  /// ``CollectionPayload/readElement(of:from:)``.
  @inline(__always)
  func forEachRaw(
    at places: some Sequence<Int>,
    graph: ObjectGraph?,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let isOwn = isOfStore(of: graph)
    if !isOwn {
      for index in places { _ = element(at: index) }
      if let unreadFailure { throw unreadFailure }
    }
    var isCopied = false
    try bytes.withUnsafeBytes { buffer in
      for index in places {
        let slot = slots[index]
        if isOwn, slot.count >= 0, !(slot.object.map { Self.isChanged($0, graph) } ?? false) {
          isCopied = true
          try body(index, slot.raw(buffer))
        } else if let element = Self.element(slot) {
          var writer = ValueWriter(graph: graph)
          try element._appendElement(to: &writer)
          try writer.withBytes { try body(index, $0) }
        }
      }
    }
    if isCopied { graph?.noteCopiedLinks() }
  }

  /// Whether an object that was read with the collection must be saved with it. A deleted object is not
  /// saved; the writer clears the link.
  private static func isChanged(_ object: ObjectBase, _ graph: ObjectGraph?) -> Bool {
    if object._wasDeleted, graph?.bringsDeletedObjects == false { return false }
    return object._context?.store == nil || object.hasAssignedProperties(object.descriptor)
  }
}

extension RealmCollectionValue {
  /// Whether the value is an object that meets a condition.
  func isLink(where isWanted: (ObjectBase) -> Bool) -> Bool { (self as? ObjectBase).map(isWanted) ?? false }

  /// The type of the elements, as far as their payloads depend on it. It does not contain the name of a
  /// class.
  static var _payloadType: ColumnType {
    guard let link = _linkType else { return _elementType }
    return ColumnType(.link, isOptional: link != Self.self)
  }
}
