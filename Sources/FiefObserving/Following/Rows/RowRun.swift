import FiefCore
import LMDB

/// Consecutive rows: the key of each row's object, and a stamp that changes with the object.
///
/// A row takes 16 bytes in addition to its key: 4 for the key's hash, 8 for the stamp and 4 for the key's
/// end. A run never changes, so two states share equal runs.
final class RowRun: Sendable {
  let hashes: [UInt32]
  let stamps: [UInt64]
  /// The offset in `bytes` at which each key ends.
  private let ends: [UInt32]
  private let bytes: [UInt8]

  init(hashes: [UInt32], stamps: [UInt64], ends: [UInt32], bytes: [UInt8]) {
    self.hashes = hashes
    self.stamps = stamps
    self.ends = ends
    self.bytes = bytes
  }

  var count: Int { hashes.count }
  /// The total size of the keys in bytes.
  var size: Int { bytes.count }

  /// Calls `body` with the key of a row. The bytes are valid until `body` returns.
  @inline(__always)
  func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    let end = Int(ends[index])
    return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  /// Whether both runs have the same keys and stamps.
  func isEqual(to other: RowRun) -> Bool { self === other || (stamps == other.stamps && hasKeys(of: other)) }

  /// Whether both runs have the same keys.
  func hasKeys(of other: RowRun) -> Bool {
    self === other || (hashes == other.hashes && ends == other.ends && bytes == other.bytes)
  }

  /// Returns the hash by which a key is found.
  @inline(__always)
  static func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.hash(key))
  }

  /// Returns the index of the first row with a key, searching from `start`.
  func index(of key: UnsafeRawBufferPointer, hash: UInt32, from start: Int = 0) -> Int? {
    var start = start
    while start < hashes.count, let index = hashes[start...].firstIndex(of: hash) {
      if withKey(at: index, { $0.hasSameBytes(as: key) }) { return index }
      start = index + 1
    }
    return nil
  }

  /// Returns the same rows with other stamps.
  func stamped(_ stamps: [UInt64]) -> RowRun {
    stamps == self.stamps ? self : RowRun(hashes: hashes, stamps: stamps, ends: ends, bytes: bytes)
  }

  /// Appends rows to a buffer.
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
