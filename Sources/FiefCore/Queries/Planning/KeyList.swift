import LMDB

/// A sorted list of unique object keys, combined from several ranges.
///
/// One thread fills the list. It does not change after it has been sorted.
// SAFETY: the list is filled and sorted before it is shared.
final class KeyList: @unchecked Sendable {
  private struct Entry {
    /// The first eight bytes, as a number with the same order.
    let prefix: UInt64
    let start: UInt32
    let count: UInt32
  }

  /// The maximum size of a list in bytes. Beyond it a scan replaces the list.
  static let limit = 1 << 25

  private let limit: Int
  // No access can overlap a change: `append` and `sort` call no code outside this file, and after `sort` the
  // list is only read.
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private var isSorted = true

  init(limit: Int = KeyList.limit) { self.limit = limit }

  var count: Int { entries.count }

  /// Adds a key. Returns false if the list would become too large.
  func append(_ key: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count + key.count + entries.count * MemoryLayout<Entry>.stride < limit else {
      return false
    }
    let entry = Entry(
      prefix: Self.prefix(of: key),
      start: UInt32(truncatingIfNeeded: bytes.count),
      count: UInt32(truncatingIfNeeded: key.count)
    )
    // Keys with equal prefixes may be equal, so the list must be sorted to remove duplicates.
    if let last = entries.last, last.prefix >= entry.prefix { isSorted = false }
    bytes.append(contentsOf: key)
    entries.append(entry)
    return true
  }

  /// Sorts the keys and removes duplicates.
  func sort() {
    if isSorted { return }
    bytes.withUnsafeBytes { bytes in
      entries.sort { Self.compare($0, $1, bytes) < 0 }
      var kept = 0
      for index in entries.indices
      where index == 0 || Self.compare(entries[kept - 1], entries[index], bytes) != 0 {
        entries[kept] = entries[index]
        kept += 1
      }
      entries.removeLast(entries.count - kept)
    }
    isSorted = true
  }

  /// Calls `body` with the key at an index. Its bytes are valid until `body` returns.
  @inline(__always)
  func withKey<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let entry = entries[index]
    return try bytes.withUnsafeBytes { try body(Self.key(entry, $0)) }
  }

  /// Calls `body` with a function that returns the key at an index. The bytes of all keys are valid until
  /// `body` returns.
  func withKeys<Result>(_ body: ((Int) -> UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes { bytes in try body { Self.key(entries[$0], bytes) } }
  }

  /// Returns the index of a key in the sorted list, or `nil` if the list does not contain it.
  func index(of key: UnsafeRawBufferPointer) -> Int? {
    let wanted = Self.prefix(of: key)
    return bytes.withUnsafeBytes { bytes in
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        let entry = entries[middle]
        let order =
          entry.prefix != wanted
          ? (entry.prefix < wanted ? -1 : 1) : ByteRange.compare(Self.key(entry, bytes), key)
        if order == 0 { return middle }
        if order < 0 { low = middle + 1 } else { high = middle }
      }
      return nil
    }
  }

  /// Returns the keys of the sorted list whose indexes are marked.
  func keys(markedIn marks: [Bool]) -> KeyList {
    let result = KeyList()
    result.bytes = bytes
    result.entries = zip(entries, marks).lazy.filter(\.1).map(\.0)
    return result
  }

  private static func key(_ entry: Entry, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = Int(entry.start)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(entry.count))])
  }

  private static func compare(_ first: Entry, _ second: Entry, _ bytes: UnsafeRawBufferPointer) -> Int {
    if first.prefix != second.prefix { return first.prefix < second.prefix ? -1 : 1 }
    return ByteRange.compare(key(first, bytes), key(second, bytes))
  }

  /// Returns the first eight bytes of a key, as a number with the same order.
  @inline(__always)
  static func prefix(of key: UnsafeRawBufferPointer) -> UInt64 {
    if key.count >= 8 { return UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)) }
    var prefix: UInt64 = 0
    for byte in key { prefix = prefix << 8 | UInt64(byte) }
    return prefix << UInt64(8 * (8 - key.count))
  }
}
