/// The entries of a map of links, whose objects are read when they are accessed.
final class LinkedEntries<Value: RealmCollectionValue> {
  /// The keys in the order of the slots.
  private var names: [String]
  private var places: [ExactText: Int]
  private let slots: ElementSlots<Value>

  init(_ payload: [UInt8], context: ObjectContext?) throws {
    var slots: [LinkSlot] = []
    var names: [String] = []
    var places: [ExactText: Int] = [:]
    let type = Value._payloadType
    try payload.withUnsafeBytes { bytes in
      if bytes.isEmpty { return }
      var reader = ValueReader(bytes, context: nil)
      for _ in 0..<(try reader.count()) {
        let name = String(decoding: try reader.sized(), as: UTF8.self)
        let element = try CollectionPayload.readElement(of: type, from: &reader)
        if places[ExactText(name)] != nil { continue }
        places[ExactText(name)] = names.count
        names.append(name)
        slots.append(
          LinkSlot(
            start: bytes.count - reader.rest.count - element.count,
            count: element.count
          )
        )
      }
    }
    self.names = names
    self.places = places
    self.slots = ElementSlots(slots, bytes: payload, context: context)
  }

  private init(_ other: LinkedEntries) {
    names = other.names
    places = other.places
    slots = other.slots.copy()
  }

  func copy() -> LinkedEntries { LinkedEntries(self) }

  func appendHeldObjects(to objects: inout [ObjectBase]) { slots.appendHeldObjects(to: &objects) }

  var insertedObjects: [ObjectBase] { slots.insertedObjects }

  func appendReadObjects(to objects: inout [ObjectBase]) { slots.appendReadObjects(to: &objects) }

  /// The error of an object that could not be read, or `nil` if all objects could be read.
  var unreadFailure: (any Error)? { slots.unreadFailure }

  var count: Int { names.count }
  var keys: [String] { names }

  var entries: [(key: String, value: Value)] {
    names.indices.compactMap { index in slots.element(at: index).map { (names[index], $0) } }
  }

  subscript(name: String) -> Value? {
    get { places[ExactText(name)].flatMap { slots.element(at: $0) } }
    set {
      if let newValue {
        if let place = places[ExactText(name)] {
          slots.replace(place..<(place + 1), with: [newValue])
        } else {
          places[ExactText(name)] = names.count
          names.append(name)
          slots.replace(slots.count..<slots.count, with: [newValue])
        }
      } else if let place = places.removeValue(forKey: ExactText(name)) {
        slots.removeUnordered(at: place)
        names.swapAt(place, names.count - 1)
        names.removeLast()
        if place < names.count { places[ExactText(names[place])] = place }
      }
    }
  }

  /// Returns the indexes of links to deleted objects: links with the given keys, or all if `keys` is nil.
  func slotPlaces(ofKeys keys: Set<[UInt8]>?, _ isDeleted: (Value) -> Bool) -> [Int] {
    slots.places(ofKeys: keys, isDeleted)
  }

  func hasObject(where isWanted: (ObjectBase) -> Bool) -> Bool { slots.hasObject(where: isWanted) }

  /// Marks links to deleted objects as unread, and removes inserted objects that were deleted.
  func dropObjects(where isDeleted: (ObjectBase) -> Bool) { takeOut(slots.makeUnread(where: isDeleted)) }

  /// Removes links as the store does: if values can be nil, the key stays with a nil value.
  func takeOut(_ dropped: [Int]) {
    if dropped.isEmpty { return }
    if let none = Value._linked(nil) {
      for place in dropped { slots.replace(place..<(place + 1), with: [none]) }
      return
    }
    slots.remove(at: dropped)
    let gone = Set(dropped)
    names = names.indices.filter { !gone.contains($0) }.map { names[$0] }
    places = Dictionary(uniqueKeysWithValues: names.enumerated().map { (ExactText($1), $0) })
  }

  func append(to writer: inout ValueWriter) throws { try append(Array(names.indices), to: &writer) }

  /// Appends the entries of some keys.
  func append(_ keys: Set<ExactText>, to writer: inout ValueWriter) throws {
    try append(keys.compactMap { places[$0] }, to: &writer)
  }

  private func append(_ places: [Int], to writer: inout ValueWriter) throws {
    var raw: [[UInt8]] = []
    raw.reserveCapacity(places.count)
    var kept: [Int] = []
    try slots.forEachRaw(at: places, graph: writer.graph) { place, bytes in
      kept.append(place)
      raw.append([UInt8](bytes))
    }
    writer.appendCount(raw.count)
    let type = Value._payloadType
    for index in raw.indices.sorted(by: { names[kept[$0]].precedes(names[kept[$1]]) }) {
      writer.appendSized { $0.append(names[kept[index]]) }
      CollectionPayload.appendElement(of: type, to: &writer) { $0.append(raw[index]) }
    }
  }
}
