/// A cache of rows to which links led recently. Looking up a row takes longer than all other work on it.
///
/// Each key has exactly one slot, so no search is needed. Only rows with short keys are cached, which most
/// keys are. Nothing is cached if the transaction may change.
// SAFETY: `entries` has room for `count` entries, all initialised. The rows were found in the query
// environment with the number `run`. Their records are in pages of its transaction, which do not change until
// the transaction ends. Rows of another environment are dropped. A cached row's key is never returned.
final class FollowCache {
  private struct Entry {
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// The length of the key, or 0 if the slot is empty. A key has at least one byte.
    var length = 0
    var row: QueryRow?
  }

  private static let count = 256

  private let entries: UnsafeMutablePointer<Entry>
  @exclusivity(unchecked) private var run: UInt64 = 0

  init() {
    entries = .allocate(capacity: Self.count)
    entries.initialize(repeating: Entry(), count: Self.count)
  }

  deinit { entries.deallocate() }

  /// Returns the row of a key. If the row is not cached, `find` looks it up.
  @inline(__always)
  func row(
    _ key: UnsafeRawBufferPointer,
    in environment: QueryEnvironment,
    _ find: () throws -> QueryRow?
  ) throws -> QueryRow? {
    guard key.count <= 16, let base = key.baseAddress else { return try find() }
    if run != environment.number { clear(environment.number) }
    var low: UInt64 = 0
    var high: UInt64 = 0
    for index in 0..<min(key.count, 8) {
      low = low &<< 8 | UInt64(base.load(fromByteOffset: index, as: UInt8.self))
    }
    for index in 8..<max(key.count, 8) {
      high = high &<< 8 | UInt64(base.load(fromByteOffset: index, as: UInt8.self))
    }
    let hash = (low &+ high &* 31) &* 0x9E37_79B9_7F4A_7C15
    let entry = entries + Int(truncatingIfNeeded: hash &>> 56)
    if entry.pointee.length == key.count, entry.pointee.low == low, entry.pointee.high == high {
      // The memory of the key with which the row was found may have been freed, as for an element of a large
      // collection. Therefore the returned row has the caller's key.
      return entry.pointee.row?.withKey(key)
    }
    let row = try find()
    entry.pointee = Entry(low: low, high: high, length: key.count, row: row)
    return row
  }

  @inline(never)
  private func clear(_ number: UInt64) {
    for index in 0..<Self.count { entries[index].length = 0 }
    run = number
  }
}
