/// The instance for each key that a read scope has handed out, as long as somebody holds it.
///
/// Nobody can tell whether an object that was let go of is made again as the same one. So the last object is
/// remembered, and enters the map only when the next one comes and somebody else still holds it: a scan of millions
/// whose objects are let go of at once costs a comparison for each, and no memory.
struct ScopeInstances {
  private var last: ObjectBase?
  private var lastID = IdentityMap.Key(table: 0, key: UnsafeRawBufferPointer(start: nil, count: 0))
  private var map = IdentityMap()
  /// How many objects the map has when cycles are looked for next.
  private var breakAt = 4096
  /// A bit for each table, by its id, that the map has objects of.
  private var tables: UInt64 = 0

  /// The instance that somebody may hold; nil also where it is of another class that stands for the same type.
  @inline(__always)
  func instance(for id: IdentityMap.Key, of binding: ObjectBinding) -> ObjectBase? {
    guard let known = last != nil && id == lastID ? last : mapped(id), binding.isOfClass(known) else {
      return nil
    }
    return known
  }

  @inline(__always)
  private func mapped(_ id: IdentityMap.Key) -> ObjectBase? { tables & id.tableBit == 0 ? nil : map[id] }

  /// Remembers an object that was made.
  ///
  /// - Returns: what the caller is to let go of when this is not being accessed any more.
  @inline(__always)
  mutating func handOut(_ object: ObjectBase, _ id: IdentityMap.Key) -> (ObjectBase?, [ObjectBase]) {
    let isHeld = last != nil && !isKnownUniquelyReferenced(&last)
    let former = last
    let formerID = lastID
    last = object
    lastID = id
    guard isHeld, let former else { return (former, []) }
    tables |= formerID.tableBit
    return (nil, map.insert(former, for: formerID))
  }

  /// Whether so many objects are held that it is worth finding out whether they only hold each other. Doubling keeps
  /// the cost constant for an object.
  @inline(__always)
  var isLarge: Bool { map.count >= breakAt }

  /// To be called when cycles have been looked for.
  mutating func noteCyclesBroken() { breakAt = Swift.max(4096, map.count * 2) }

  /// The objects of the map, and the last one.
  var unmanaged: [Unmanaged<ObjectBase>] {
    map.unmanaged + [last].compactMap { $0.map { Unmanaged.passUnretained($0) } }
  }

  var isEmpty: Bool { map.count == 0 }
}
