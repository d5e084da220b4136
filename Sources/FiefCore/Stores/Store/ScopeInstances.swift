/// The instance for each key that a read scope has handed out, as long as the application holds it.
///
/// A released object can be made again: the application cannot compare the two. So the last object is kept here, and
/// enters the map only if it is still held elsewhere when the next one comes: a scan of millions whose objects are
/// released at once costs a comparison of numbers for each, and no memory.
struct ScopeInstances {
  private var last: ObjectBase?
  private var lastWords = KeyWords(table: 0, key: UnsafeRawBufferPointer(start: nil, count: 0))
  /// The key of the last object, where the words do not say all of it.
  private var lastLong: [UInt8] = []
  private var map: IdentityMap?
  /// The number of objects in the map at which cycles are searched next.
  private var breakAt = 4096
  /// A bit for each table, by its id, that the map has objects of.
  private var tables: UInt64 = 0

  /// The instance that the application may hold; nil also where it is of another class for the same type.
  @inline(__always)
  func instance(
    for words: KeyWords,
    _ key: UnsafeRawBufferPointer,
    of binding: ObjectBinding
  ) -> ObjectBase? {
    if words == lastWords, let last, !words.isLong || lastLong.elementsEqual(key) {
      return binding.isOfClass(last) ? last : nil
    }
    return tables & words.tableBit == 0 ? nil : mapped(IdentityMap.Key(words, key), binding)
  }

  private func mapped(_ key: IdentityMap.Key, _ binding: ObjectBinding) -> ObjectBase? {
    guard let known = map?[key], binding.isOfClass(known) else { return nil }
    return known
  }

  /// Remembers an object that was made.
  ///
  /// - Returns: the former object, which the caller releases after this access; `isDone` is false where
  ///   ``handOutAfterHeld(_:_:_:)`` has to be called.
  @inline(__always)
  mutating func handOut(
    _ object: ObjectBase,
    _ words: KeyWords,
    _ key: UnsafeRawBufferPointer
  ) -> (isDone: Bool, former: ObjectBase?) {
    guard last == nil || isKnownUniquelyReferenced(&last) else { return (false, nil) }
    let former = last
    last = object
    lastWords = words
    if words.isLong { lastLong = [UInt8](key) }
    return (true, former)
  }

  /// Remembers an object that was made, and puts the last one, which is still held, into the map.
  ///
  /// - Returns: the evicted objects, which the caller releases after this access.
  @inline(never)
  mutating func handOutAfterHeld(
    _ object: ObjectBase,
    _ words: KeyWords,
    _ key: UnsafeRawBufferPointer
  ) -> [ObjectBase] {
    guard let held = last else { return [] }
    let id = lastLong.withUnsafeBytes { IdentityMap.Key(lastWords, $0) }
    let map = self.map ?? IdentityMap()
    self.map = map
    tables |= lastWords.tableBit
    last = object
    lastWords = words
    if words.isLong { lastLong = [UInt8](key) }
    return map.insert(held, for: id)
  }

  /// Whether so many objects are held that it is worth finding out whether they only hold each other. Doubling keeps
  /// the cost constant for an object.
  var isLarge: Bool { count >= breakAt }

  private var count: Int { map?.count ?? 0 }

  /// Notes that cycles have been searched.
  mutating func noteCyclesBroken() { breakAt = Swift.max(4096, count * 2) }

  /// The objects of the map, and the last one.
  var unmanaged: [Unmanaged<ObjectBase>] {
    (map?.unmanaged ?? []) + [last].compactMap { $0.map { Unmanaged.passUnretained($0) } }
  }

  var isEmpty: Bool { count == 0 }
}
