import LMDB

/// The elements of a collection of links, which are read when they are touched: some at a time.
///
/// A collection and its iterators share one; whoever changes it makes a copy of its own before. Reading an
/// object is no change.
final class ElementSlots<Element: RealmCollectionValue> {
  /// How many objects are read at a time.
  static var batch: Int { 64 }

  struct Slot {
    var element: Element?
    /// Where the element is in `bytes`; the count is less than 0 for one that has no bytes.
    var start: Int
    var count: Int32
    /// Whether the object was looked for: it is gone where there is no element then.
    var isResolved: Bool

    init(_ element: Element) {
      self.element = element
      start = 0
      count = -1
      isResolved = true
    }

    init(start: Int, count: Int) {
      element = nil
      self.start = start
      self.count = Int32(truncatingIfNeeded: count)
      isResolved = false
    }
  }

  private(set) var slots: [Slot]
  private let bytes: [UInt8]
  private let context: ObjectContext?

  init(_ slots: [Slot], bytes: [UInt8], context: ObjectContext?) {
    self.slots = slots
    self.bytes = bytes
    self.context = context
  }

  /// - Parameter offset: where in `bytes` the elements begin.
  convenience init(_ bytes: [UInt8], from offset: Int, count: Int, context: ObjectContext?) throws {
    var slots: [Slot] = []
    let type = Element._payloadType
    try bytes.withUnsafeBytes { buffer in
      slots.reserveCapacity(Swift.min(count, buffer.count))
      var reader = ValueReader(UnsafeRawBufferPointer(rebasing: buffer[offset...]), context: nil)
      for _ in 0..<count {
        let element = try CollectionPayload.readElement(of: type, from: &reader)
        slots.append(Slot(start: buffer.count - reader.rest.count - element.count, count: element.count))
      }
    }
    self.init(slots, bytes: bytes, context: context)
  }

  var count: Int { slots.count }

  func copy() -> ElementSlots { ElementSlots(slots, bytes: bytes, context: context) }

  /// The element at an index; nil where its object is gone.
  func element(at index: Int) -> Element? {
    if !slots[index].isResolved { resolve(from: index) }
    return slots[index].element
  }

  /// The elements from an index on that are not gone, as many as are read at a time.
  func batch(from index: inout Int) -> [Element]? {
    guard index < slots.count else { return nil }
    let end = Swift.min(index + Self.batch, slots.count)
    if slots[index..<end].contains(where: { !$0.isResolved }) { resolve(from: index) }
    defer { index = end }
    return slots[index..<end].compactMap(\.element)
  }

  private func resolve(from first: Int) {
    let type = Element._payloadType
    var places: [Int] = []
    var end = first
    while end < slots.count, end < first + Self.batch {
      if !slots[end].isResolved { places.append(end) }
      end += 1
    }
    bytes.withUnsafeBytes { buffer in
      var keys: [UnsafeRawBufferPointer] = []
      var linked: [Int] = []
      for place in places {
        let raw = Self.raw(slots[place], buffer)
        if let key = (try? CollectionPayload.value(raw, type: type)) ?? nil {
          keys.append(key)
          linked.append(place)
        } else {
          set(Element._linked(nil), at: place)
        }
      }
      guard let context, let target = Element._linkType else { return }
      let objects: [ObjectBase?]
      do { objects = try context.objects(of: target, keys: keys) } catch {
        context.report(error, type: target.className(), property: nil)
        return
      }
      for (place, object) in zip(linked, objects) { set(Element._linked(object), at: place) }
    }
  }

  private func set(_ element: Element?, at place: Int) {
    // What was read may have changed the collection.
    guard place < slots.count, !slots[place].isResolved else { return }
    slots[place].element = element
    slots[place].isResolved = true
  }

  private static func raw(_ slot: Slot, _ buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[slot.start..<(slot.start + Int(slot.count))])
  }

  /// The objects that were read or put in; nothing is read for it.
  func appendHeldObjects(to objects: inout [ObjectBase]) {
    for slot in slots { if let object = slot.element as? ObjectBase { objects.append(object) } }
  }

  // MARK: Changes

  func replace(_ range: Range<Int>, with elements: [Element]) {
    slots.replaceSubrange(range, with: elements.map { Slot($0) })
  }

  func move(from source: Int, to destination: Int) {
    slots.insert(slots.remove(at: source), at: destination)
  }

  func swapAt(_ first: Int, _ second: Int) { slots.swapAt(first, second) }

  /// Removes the element at an index; the last one takes its place.
  func removeUnordered(at index: Int) {
    slots.swapAt(index, slots.count - 1)
    slots.removeLast()
  }

  /// Removes the elements whose objects were deleted: those with a key, or all where that is nil.
  func drop(key: [UInt8]?, _ isDeleted: (Element) -> Bool) -> [Int] {
    let type = Element._payloadType
    let dropped = bytes.withUnsafeBytes { buffer in
      slots.indices.filter { index in
        let slot = slots[index]
        if let element = slot.element { return isDeleted(element) }
        guard slot.count >= 0, let value = try? CollectionPayload.value(Self.raw(slot, buffer), type: type)
        else { return false }
        return key.map { value.elementsEqual($0) } ?? true
      }
    }
    for index in dropped.reversed() { slots.remove(at: index) }
    return dropped
  }

  // MARK: Looking

  /// The index of an element that is the same, without reading the others.
  func index(of element: Element) -> Int? {
    let key = (element as? ObjectBase).flatMap { context?.key(of: $0, as: Element._linkType) }
    let type = Element._payloadType
    return bytes.withUnsafeBytes { buffer in
      slots.firstIndex { slot in
        if slot.count >= 0, let key {
          return ((try? CollectionPayload.value(Self.raw(slot, buffer), type: type)) ?? nil)?.elementsEqual(
            key
          )
            ?? false
        }
        if let other = slot.element { return Element._areEqual(other, element) }
        guard slot.count > 0, type.isOptional, !slot.isResolved, let none = Element._linked(nil) else {
          return false
        }
        return buffer[slot.start] == 0 && Element._areEqual(none, element)
      }
    }
  }

  // MARK: Writing

  /// Calls `body` with each element's bytes, as ``CollectionPayload/readElement(of:from:)`` gives them.
  func forEachRaw(graph: ObjectGraph?, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try forEachRaw(graph: graph) { _, bytes in try body(bytes) }
  }

  /// The same, with the index of each.
  func forEachRaw(graph: ObjectGraph?, _ body: (Int, UnsafeRawBufferPointer) throws -> Void) throws {
    // The keys of another store are not the same objects here.
    let isOwn = graph.map { $0.store.storeID == context?.store?.storeID } ?? false
    if !isOwn { for index in slots.indices { _ = element(at: index) } }
    var isCopied = false
    try bytes.withUnsafeBytes { buffer in
      for (index, slot) in slots.enumerated() {
        if isOwn, slot.count >= 0, !(slot.element.map(Self.isChanged) ?? false) {
          isCopied = true
          try body(index, Self.raw(slot, buffer))
        } else if let element = slot.element {
          var writer = ValueWriter(graph: graph)
          try element._appendElement(to: &writer)
          try writer.withBytes { try body(index, $0) }
        }
      }
    }
    if isCopied { graph?.noteCopiedLinks() }
  }

  /// Whether an object has to be saved with the collection.
  private static func isChanged(_ element: Element) -> Bool {
    guard let object = element as? ObjectBase else { return false }
    return object._context == nil || object.hasAssignedProperties(object.descriptor)
  }
}

extension RealmCollectionValue {
  /// The type of elements as far as their payloads depend on it: a class is not asked for its name.
  static var _payloadType: ColumnType {
    guard let link = _linkType else { return _elementType }
    return ColumnType(.link, isOptional: link != Self.self)
  }
}

extension ObjectContext {
  /// The objects with keys, in the order of the keys; nil for those that there are none of. One pass over the store.
  func objects(of type: ObjectBase.Type, keys: [UnsafeRawBufferPointer]) throws -> [ObjectBase?] {
    guard let store, !keys.isEmpty else { return keys.map { _ in nil } }
    let binding = try store.binding(of: type)
    var objects = [ObjectBase?](repeating: nil, count: keys.count)
    let order = try unknown(&objects, of: binding, keys).sorted {
      keys[$0].lexicographicallyPrecedes(keys[$1])
    }
    if order.isEmpty { return objects }
    if let scope = currentScope {
      let passes = scope.tally.passes
      for index in order { objects[index] = try scope.object(of: binding, key: keys[index]) }
      scope.tally.passes = passes &+ 1
      scope.tally.links &+= order.count
      return objects
    }
    guard let records = binding.table.records else { return objects }
    let newest = lasting
    var tally = ReadTally(links: order.count, passes: 1)
    try store.read { transaction in
      var rest = order[...]
      while !rest.isEmpty {
        var batch = LookUpBatch(in: transaction)
        while let index = rest.first, !batch.isFull {
          batch.append(keys[index], at: index)
          rest.removeFirst()
        }
        try batch.prepare(records)
        for item in 0..<batch.count {
          guard let record = try batch.value(item, in: records) else { continue }
          objects[batch.place(item)] = try binding.decode(
            key: batch.key(item),
            record: record,
            context: newest
          )
          tally.objects += 1
        }
      }
    }
    store.counters.add(tally)
    return objects
  }

  /// The key of an object of a type in this store; nil where it has none yet.
  func key(of object: ObjectBase, as type: ObjectBase.Type?) -> [UInt8]? {
    guard let store, Swift.type(of: object) == type,
      let binding = try? store.binding(of: Swift.type(of: object)),
      !binding.primaryKey.isEmpty || object._rowID != 0
    else { return nil }
    return try? binding.key(of: object)
  }
}
