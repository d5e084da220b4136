/// A buffer of keys of linked objects, which are looked up together in key order. Keys that are near each
/// other in the tree are then on the same page.
// SAFETY: `entries` has room for `room` entries, of which the first `count` are initialised. The keys are in
// pages or bytes that the caller keeps alive until it calls `removeAll`.
struct LinkKeys: ~Copyable {
  private struct Entry {
    let prefix: UInt64
    let key: UnsafeRawPointer?
    let length: UInt32
    let place: UInt32
  }

  /// The maximum number of buffered keys.
  static let capacity = 8192

  private var entries: UnsafeMutablePointer<Entry>
  private var room = 256
  private(set) var count = 0
  private var isSorted = true

  init() { entries = .allocate(capacity: room) }

  deinit { entries.deallocate() }

  var isFull: Bool { count == Self.capacity }

  /// Adds a key, unless the buffer is full.
  @inline(__always)
  mutating func append(_ key: UnsafeRawBufferPointer) {
    if count == room, !grow() { return }
    let prefix = KeyList.prefix(of: key)
    if count > 0, entries[count &- 1].prefix >= prefix { isSorted = false }
    (entries + count).initialize(
      to: Entry(
        prefix: prefix,
        key: key.baseAddress,
        length: UInt32(truncatingIfNeeded: key.count),
        place: UInt32(truncatingIfNeeded: count)
      )
    )
    count &+= 1
  }

  @inline(never)
  private mutating func grow() -> Bool {
    guard room < Self.capacity else { return false }
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: Self.capacity)
    larger.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    room = Self.capacity
    return true
  }

  mutating func removeAll() {
    count = 0
    isSorted = true
  }

  mutating func sort() {
    if isSorted { return }
    var waiting = UnsafeMutableBufferPointer(start: entries, count: count)
    waiting.sort { first, second in
      if first.prefix != second.prefix { return first.prefix < second.prefix }
      return Self.bytes(first).compare(Self.bytes(second)) < 0
    }
    isSorted = true
  }

  /// The key at an index.
  @inline(__always)
  subscript(index: Int) -> UnsafeRawBufferPointer { Self.bytes(entries[index]) }

  /// Returns the position at which the key at an index was appended, from 0.
  @inline(__always)
  func place(_ index: Int) -> Int { Int(entries[index].place) }

  @inline(__always)
  private static func bytes(_ entry: Entry) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: entry.key, count: Int(entry.length))
  }
}
