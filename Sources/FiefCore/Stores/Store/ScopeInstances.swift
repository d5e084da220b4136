/// The instance that a read scope has returned for each key, while the application refers to it.
///
/// The application cannot distinguish a released object from a new instance, so a released object can be
/// created again. Therefore only the last object is kept here. It enters the map when the next object is
/// created, and only if anything else refers to it. In a scan of millions of objects that are released
/// immediately, this costs one comparison of numbers per object and no memory.
struct ScopeInstances {
  private var last: ObjectBase?
  private var lastWords = KeyWords(table: 0, key: UnsafeRawBufferPointer(start: nil, count: 0))
  /// The key of the last object, if the words do not contain the whole key.
  private var lastLong: [UInt8] = []
  private var map: IdentityMap?
  /// The number of objects in the map at which the next search for cycles is due.
  private var breakAt = 4096
  /// A bit for each table, by its id, whose objects are in the map.
  private var tables: UInt64 = 0

  /// Returns the instance to which the application may refer, or nil if none is known. Also returns nil if
  /// the instance is of another class for the same type.
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

  /// Records an object that was created.
  ///
  /// - Returns: the former object, which the caller releases after this access. If `isDone` is false, the
  ///   object was not recorded, and the caller calls ``handOutAfterHeld(_:_:_:)``.
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

  /// Records an object that was created, and moves the last object, which is still in use, into the map.
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

  /// Whether the map is so large that a search for cycles is due. The threshold doubles, so the cost per
  /// object is constant.
  var isLarge: Bool { count >= breakAt }

  private var count: Int { map?.count ?? 0 }

  /// Records that the search for cycles has run, and sets the next threshold.
  mutating func noteCyclesBroken() { breakAt = Swift.max(4096, count * 2) }

  /// The objects of the map and the last object, unretained.
  var unmanaged: [Unmanaged<ObjectBase>] {
    (map?.unmanaged ?? []) + [last].compactMap { $0.map { Unmanaged.passUnretained($0) } }
  }

  var isEmpty: Bool { count == 0 }

  /// Whether no object was recorded.
  var hasNone: Bool { last == nil && map == nil }
}
