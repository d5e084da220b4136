/// The instance that a scope has returned for each key. The map keeps it at least as long as the application
/// refers to it.
///
/// The map contains strong references, because a weak reference to each object would cost more than reading
/// it. Whenever the map has doubled, it releases the objects to which nothing else refers. The cost per
/// insertion is therefore constant, and a long import runs in bounded memory.
///
/// The map is a table with open addressing, because the standard library's hashing takes as long as reading
/// an object.
// SAFETY: `entries` has room for `capacity` entries, a power of two. All are initialised, and at least half
// of them have no object.
final class IdentityMap {
  /// The key of an object, with its table. Short keys need no allocation, and nearly all keys are short.
  struct Key: Hashable {
    let words: KeyWords
    private let long: [UInt8]?

    @inline(__always)
    init(table: UInt32, key: UnsafeRawBufferPointer) {
      self.init(KeyWords(table: table, key: key), key)
    }

    init(table: UInt32, key: [UInt8]) {
      self = key.withUnsafeBytes { Key(table: table, key: $0) }
    }

    @inline(__always)
    init(_ words: KeyWords, _ key: UnsafeRawBufferPointer) {
      self.words = words
      long = words.isLong ? [UInt8](key) : nil
    }

    func belongs(to table: UInt32) -> Bool { words.table == table }

    @inline(__always)
    static func == (first: Key, second: Key) -> Bool {
      first.words == second.words && (!first.words.isLong || first.long == second.long)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(words.hash(seed: 0)) }
  }

  private struct Entry {
    var key: Key
    /// The object; nil if the slot is free.
    var object: ObjectBase?
  }

  private static let smallestSweep = 256
  /// The initial capacity. Most scopes have few objects, and creating and destroying a larger table would
  /// take a noticeable part of a small write.
  private static let smallest = 8
  /// All maps share the seed, because getting random bytes from the system takes as long as a whole scope.
  private static let processSeed = UInt64.random(in: .min ... .max)

  // Only the scope's own thread uses the map, and its methods never call code of the application.
  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>?
  @exclusivity(unchecked) private var capacity = 0
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var sweepAt = IdentityMap.smallestSweep
  private let seed = IdentityMap.processSeed

  deinit { Self.free(entries, capacity) }

  private static func free(_ entries: UnsafeMutablePointer<Entry>?, _ capacity: Int) {
    entries?.deinitialize(count: capacity)
    entries?.deallocate()
  }

  @inline(__always)
  subscript(key: Key) -> ObjectBase? {
    guard let entries, count > 0 else { return nil }
    return entries[place(of: key, in: entries)].object
  }

  /// Whether anything else refers to the instance for a key.
  func isHeldElsewhere(_ key: Key) -> Bool {
    guard let entries, count > 0 else { return false }
    let place = place(of: key, in: entries)
    return entries[place].object != nil && !isKnownUniquelyReferenced(&entries[place].object)
  }

  /// Returns the slot of a key, or the free slot for it.
  @inline(__always)
  private func place(of key: Key, in entries: UnsafeMutablePointer<Entry>) -> Int {
    var place = home(of: key)
    while entries[place].object != nil, entries[place].key != key { place = (place &+ 1) & (capacity &- 1) }
    return place
  }

  @inline(__always)
  private func home(of key: Key) -> Int {
    Int(truncatingIfNeeded: key.words.hash(seed: seed)) & (capacity &- 1)
  }

  /// Sets the instance for a key.
  ///
  /// - Returns: the evicted objects, which the caller releases after the call. The `deinit` of an object
  ///   belongs to the application and may read the store, so it must not run while the map is being changed.
  func insert(_ object: ObjectBase, for key: Key) -> [ObjectBase] {
    let unused = count >= sweepAt ? sweep() : []
    if 2 * (count + 1) > capacity { resize(max(Self.smallest, capacity * 2)) }
    guard let entries else { return unused }
    let place = place(of: key, in: entries)
    if let former = entries[place].object {
      entries[place].object = object
      return unused + [former]
    }
    entries[place] = Entry(key: key, object: object)
    count += 1
    return unused
  }

  /// - Returns: the removed object, which the caller releases.
  func remove(_ key: Key) -> ObjectBase? {
    guard let entries, count > 0 else { return nil }
    var place = place(of: key, in: entries)
    guard let removed = entries[place].object else { return nil }
    entries[place].object = nil
    count -= 1
    // Moves later entries of the same run into the gap if their search starts at or before it.
    var next = (place + 1) & (capacity - 1)
    while let object = entries[next].object {
      let distance = (next - home(of: entries[next].key)) & (capacity - 1)
      if distance >= (next - place) & (capacity - 1) {
        entries[place] = Entry(key: entries[next].key, object: object)
        entries[next].object = nil
        place = next
      }
      next = (next + 1) & (capacity - 1)
    }
    return removed
  }

  /// The objects, unretained.
  var unmanaged: [Unmanaged<ObjectBase>] {
    var objects: [Unmanaged<ObjectBase>] = []
    objects.reserveCapacity(count)
    for place in 0..<capacity {
      if let object = entries?[place].object { objects.append(.passUnretained(object)) }
    }
    return objects
  }

  var all: [(Key, ObjectBase)] {
    (0..<capacity).compactMap { place in
      guard let entries, let object = entries[place].object else { return nil }
      return (entries[place].key, object)
    }
  }

  func removeAll(ofTable table: UInt32) -> [ObjectBase] {
    let removed = all.filter { $0.0.belongs(to: table) }
    for (key, _) in removed { _ = remove(key) }
    return removed.map(\.1)
  }

  /// Evicts the objects to which only the map refers.
  private func sweep() -> [ObjectBase] {
    var unused: [ObjectBase] = []
    for place in 0..<capacity {
      guard let entries, entries[place].object != nil, isKnownUniquelyReferenced(&entries[place].object),
        let object = entries[place].object
      else { continue }
      unused.append(object)
      entries[place].object = nil
    }
    count -= unused.count
    if !unused.isEmpty { resize(capacity) }
    sweepAt = max(Self.smallestSweep, count * 2)
    return unused
  }

  /// Moves all entries to a new table without gaps.
  private func resize(_ newCapacity: Int) {
    let (former, formerCapacity) = (entries, capacity)
    let new = UnsafeMutablePointer<Entry>.allocate(capacity: newCapacity)
    let none = Key(table: 0, key: UnsafeRawBufferPointer(start: nil, count: 0))
    new.initialize(repeating: Entry(key: none, object: nil), count: newCapacity)
    entries = new
    capacity = newCapacity
    for index in 0..<formerCapacity {
      guard let former, former[index].object != nil else { continue }
      let place = place(of: former[index].key, in: new)
      swap(&new[place], &former[index])
    }
    Self.free(former, formerCapacity)
  }
}
