import LMDB

/// Some rows that follow one another: for each the key of its object, and a stamp that is another one where something
/// about it is.
///
/// It never changes, so that equal parts of two states are the same instance.
final class RowRun: Sendable {
  let hashes: [UInt32]
  let stamps: [UInt32]
  /// The end of each key in the bytes.
  private let ends: [UInt32]
  private let bytes: [UInt8]

  init(hashes: [UInt32], stamps: [UInt32], ends: [UInt32], bytes: [UInt8]) {
    self.hashes = hashes
    self.stamps = stamps
    self.ends = ends
    self.bytes = bytes
  }

  var count: Int { hashes.count }
  /// The bytes of all keys.
  var size: Int { bytes.count }

  /// Calls `body` with the key of a row; the bytes are valid until it returns.
  @inline(__always)
  func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    let end = Int(ends[index])
    return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  /// Whether all rows are the same ones, with the same stamps.
  func isEqual(to other: RowRun) -> Bool {
    self === other
      || (hashes == other.hashes && stamps == other.stamps && ends == other.ends && bytes == other.bytes)
  }

  /// The hash by which a key is found.
  @inline(__always)
  static func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.hash(key))
  }

  /// The place of the first row with a key, from an index on.
  func index(of key: UnsafeRawBufferPointer, hash: UInt32, from start: Int = 0) -> Int? {
    var start = start
    while start < hashes.count, let index = hashes[start...].firstIndex(of: hash) {
      if withKey(at: index, { $0.hasSameBytes(as: key) }) { return index }
      start = index + 1
    }
    return nil
  }

  /// The same rows with other stamps.
  func stamped(_ stamps: [UInt32]) -> RowRun {
    stamps == self.stamps ? self : RowRun(hashes: hashes, stamps: stamps, ends: ends, bytes: bytes)
  }

  /// Adds rows to others.
  func append(_ range: Range<Int>, to rows: inout RowBuffer) {
    guard let first = range.first, let last = range.last else { return }
    let start = first == 0 ? 0 : Int(ends[first - 1])
    rows.append(
      hashes: hashes[range],
      stamps: stamps[range],
      ends: ends[range],
      from: start,
      bytes: bytes[start..<Int(ends[last])]
    )
  }
}
