import LMDB

/// A set of object keys that numbers the keys in the order of their insertion.
///
/// All keys are stored in one array of bytes and found through a hash table. A dictionary would allocate
/// memory for each key.
final class KeyTable {
  private struct Entry {
    /// The first eight bytes of the key, as a number with the same order.
    let prefix: UInt64
    let start: Int
    let count: Int
  }

  @exclusivity(unchecked) private var writer = ValueWriter()
  @exclusivity(unchecked) private var entries: ContiguousArray<Entry> = []
  /// The hash table. Each slot contains the index of a key, or -1 if it is free. The number of slots is a
  /// power of two.
  @exclusivity(unchecked) private var places: ContiguousArray<Int32> = []
  /// The index of the key that was looked up last. Members of one owner are looked up in succession.
  @exclusivity(unchecked) private var last = -1

  var count: Int { entries.count }
  /// The size in memory, in bytes.
  var size: Int { writer.count + entries.count * MemoryLayout<Entry>.stride + places.count * 4 }

  /// Returns the index of a key, or `nil` if the table does not contain the key.
  func index(of key: UnsafeRawBufferPointer) -> Int? {
    if entries.isEmpty { return nil }
    if last >= 0, isKey(key, at: last) { return last }
    let number = Int(places[place(of: key)])
    if number < 0 { return nil }
    last = number
    return number
  }

  /// Returns the index of a key, and adds the key if the table does not contain it.
  func insert(_ key: UnsafeRawBufferPointer) -> (index: Int, isNew: Bool) {
    if last >= 0, isKey(key, at: last) { return (last, false) }
    if entries.count * 2 >= places.count { grow() }
    let place = place(of: key)
    if places[place] >= 0 {
      last = Int(places[place])
      return (last, false)
    }
    last = entries.count
    places[place] = Int32(truncatingIfNeeded: last)
    let prefix = key.prefix(at: 0, count: key.count)
    entries.append(Entry(prefix: prefix, start: writer.count, count: key.count))
    writer.append(key)
    return (last, true)
  }

  /// Calls `body` with a key. `body` must not insert keys.
  func withKey<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let entry = entries[index]
    // SAFETY: `insert` wrote `count` bytes for the key, and no bytes are appended during the call.
    return try body(
      UnsafeRawBufferPointer(start: UnsafeRawPointer(writer.address(entry.start)), count: entry.count)
    )
  }

  /// Returns the numbers in the order of their keys.
  func sorted() -> [Int] {
    writer.withBytes { bytes in
      entries.indices.sorted { first, second in
        let (first, second) = (entries[first], entries[second])
        if first.prefix != second.prefix { return first.prefix < second.prefix }
        return bytes.compare(
          first.start..<(first.start + first.count),
          second.start..<(second.start + second.count)
        ) < 0
      }
    }
  }

  private func isKey(_ key: UnsafeRawBufferPointer, at index: Int) -> Bool {
    let entry = entries[index]
    guard entry.count == key.count else { return false }
    return withKey(at: index) { $0.elementsEqual(key) }
  }

  /// Returns the slot that contains a key's index, or the free slot where the index belongs.
  private func place(of key: UnsafeRawBufferPointer) -> Int {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: StableHash.hash(key)) & mask
    while places[place] >= 0, !isKey(key, at: Int(places[place])) { place = (place + 1) & mask }
    return place
  }

  private func grow() {
    places = ContiguousArray(repeating: -1, count: max(16, places.count * 2))
    for index in entries.indices {
      let free = withKey(at: index) { key in self.place(of: key) }
      places[free] = Int32(truncatingIfNeeded: index)
    }
  }
}
