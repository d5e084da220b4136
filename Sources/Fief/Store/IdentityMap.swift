import LMDB

/// The instance for each key that a scope has handed out, at least as long as somebody holds it.
///
/// It holds the objects itself and lets go, now and then, of those that nobody else does: a weak reference
/// to each would cost more than reading it. Letting go at each doubling keeps the cost constant for an
/// insertion, so that a long import runs in bounded memory.
struct IdentityMap {
  /// A key of a table. That of up to sixteen bytes, as nearly all are, is not allocated.
  struct Key: Hashable {
    private let table: UInt32
    private let count: Int
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var long: [UInt8]?

    init(table: UInt32, key: UnsafeRawBufferPointer) {
      self.table = table
      count = key.count
      guard key.count <= 16 else {
        long = [UInt8](key)
        return
      }
      first = key.prefix(at: 0, count: Swift.min(key.count, 8))
      if key.count > 8 { second = key.prefix(at: 8, count: key.count - 8) }
    }

    init(table: UInt32, key: [UInt8]) {
      self = key.withUnsafeBytes { Key(table: table, key: $0) }
    }

    /// One of 64 bits, for sets of tables.
    var tableBit: UInt64 { 1 << UInt64(table & 63) }

    func belongs(to table: UInt32) -> Bool { self.table == table }

    static func == (first: Key, second: Key) -> Bool {
      first.first == second.first && first.second == second.second && first.count == second.count
        && first.table == second.table && first.long == second.long
    }

    func hash(into hasher: inout Hasher) {
      // The numbers say nearly all of it; the tables of a store are few.
      hasher.combine(first ^ (second &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(table) << 56)
      if let long { hasher.combine(long) }
    }
  }

  private static let smallestSweep = 1024

  private var objects: [Key: ObjectBase] = [:]
  private var sweepAt = IdentityMap.smallestSweep

  subscript(key: Key) -> ObjectBase? { objects[key] }

  /// Makes an object the instance for a key.
  ///
  /// - Returns: what the map lets go of. An object's `deinit` is the application's, and may look at the store:
  ///   it must not run while the map is being changed, so the caller lets go after the call.
  mutating func insert(_ object: ObjectBase, for key: Key) -> [ObjectBase] {
    let former = objects.updateValue(object, forKey: key)
    let unused = objects.count >= sweepAt ? sweep() : []
    return former.map { unused + [$0] } ?? unused
  }

  /// - Returns: the object, for the caller to let go of.
  mutating func remove(_ key: Key) -> ObjectBase? { objects.removeValue(forKey: key) }

  var count: Int { objects.count }

  /// The objects without a count for them.
  var unmanaged: [Unmanaged<ObjectBase>] { objects.values.map { Unmanaged.passUnretained($0) } }

  var all: [(Key, ObjectBase)] { objects.map { ($0.key, $0.value) } }

  mutating func removeAll(ofTable table: UInt32) -> [ObjectBase] {
    let removed = objects.filter { $0.key.belongs(to: table) }
    for key in removed.keys { objects[key] = nil }
    return Array(removed.values)
  }

  private mutating func sweep() -> [ObjectBase] {
    var unused: [Key] = []
    var index = objects.values.startIndex
    while index != objects.values.endIndex {
      if isKnownUniquelyReferenced(&objects.values[index]) { unused.append(objects.keys[index]) }
      objects.values.formIndex(after: &index)
    }
    let removed = unused.compactMap { objects.removeValue(forKey: $0) }
    sweepAt = Swift.max(Self.smallestSweep, objects.count * 2)
    return removed
  }
}
