/// The rows that links led to lately: looking one up takes longer than everything else about a row.
///
/// Each key has one place, so that it is found or not without a search. Only short keys are cached, as most
/// are. A run whose transaction may change caches none.
// SAFETY: `entries` has room for `count`, all initialised. The records of the rows are in pages of the transaction of
// the environment whose number is `run`, which do not change until that ends; those of another one are dropped. A row's
// key is never handed out.
final class FollowCache {
  private struct Entry {
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// 0 where there is no entry: no key is empty.
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

  /// The row of a key, looked up by `find` where it is not there.
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
      // The key that the row was found by may have been in memory that is gone, as that of an element of a large
      // collection: the row has the one at hand.
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
