import LMDB

/// Object keys, numbered in the order in which they came; each is there once.
///
/// The keys are in one run of bytes and found by a hash: a dictionary would allocate for each.
final class KeyTable {
  private struct Entry {
    /// The first eight bytes, as a number of the same order.
    let prefix: UInt64
    let start: Int
    let count: Int
  }

  @exclusivity(unchecked) private var writer = ValueWriter()
  @exclusivity(unchecked) private var entries: ContiguousArray<Entry> = []
  /// The number of the key for each place of the hash, -1 where there is none; a power of two of them.
  @exclusivity(unchecked) private var places: ContiguousArray<Int32> = []
  /// The key that was asked for last: members of one owner come one after another.
  @exclusivity(unchecked) private var last = -1

  var count: Int { entries.count }
  /// The bytes in memory.
  var size: Int { writer.count + entries.count * MemoryLayout<Entry>.stride + places.count * 4 }

  /// The number of a key; nil where it is not there.
  func index(of key: UnsafeRawBufferPointer) -> Int? {
    if entries.isEmpty { return nil }
    if last >= 0, isKey(key, at: last) { return last }
    let number = Int(places[place(of: key)])
    if number < 0 { return nil }
    last = number
    return number
  }

  /// The number of a key, which is added where it is not there.
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

  /// Hands out a key; nothing may be inserted meanwhile.
  func withKey<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let entry = entries[index]
    // SAFETY: as many bytes were written for the key, and none are appended during the call.
    return try body(
      UnsafeRawBufferPointer(start: UnsafeRawPointer(writer.address(entry.start)), count: entry.count)
    )
  }

  /// The numbers in the order of the keys.
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

  /// The place of a key's number, or that where it has to go.
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
