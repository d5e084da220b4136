import LMDB

/// A key of a table as numbers, which can be compared faster than bytes and need no separate memory.
///
/// The words contain the whole key if it has at most 24 bytes, as nearly all keys do; a UUID takes 17 bytes.
/// For a longer key, the words contain its beginning and its end.
struct KeyWords: Equatable {
  static let longest = 24

  let table: UInt32
  private let count: UInt32
  let first: UInt64
  let second: UInt64
  let third: UInt64

  @inline(__always)
  init(table: UInt32, key: UnsafeRawBufferPointer) {
    self.table = table
    let count = key.count
    self.count = UInt32(truncatingIfNeeded: count)
    guard let base = key.baseAddress, count > 0 else {
      (first, second, third) = (0, 0, 0)
      return
    }
    // SAFETY: the condition on the count keeps each load inside the bytes. If two loads overlap, the count
    // and the words still determine each byte.
    if count < 4 {
      let (low, high) = (base.load(as: UInt8.self), base.load(fromByteOffset: count &- 1, as: UInt8.self))
      let middle = base.load(fromByteOffset: count &>> 1, as: UInt8.self)
      first = UInt64(low) | UInt64(middle) &<< 8 | UInt64(high) &<< 16
      (second, third) = (0, 0)
    } else if count < 8 {
      let high = base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      first = UInt64(base.loadUnaligned(as: UInt32.self)) | UInt64(high) &<< 32
      (second, third) = (0, 0)
    } else {
      let end = base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      first = base.loadUnaligned(as: UInt64.self)
      second = count <= 16 ? end : base.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      third = count <= 16 ? 0 : end
    }
  }

  /// Whether the key is longer than the words, so that other keys may have the same words.
  @inline(__always)
  var isLong: Bool { count > Self.longest }

  /// The bit of the table in a set of 64 bits.
  @inline(__always)
  var tableBit: UInt64 { 1 &<< UInt64(table & 63) }

  /// - Parameter seed: a random number, so that keys cannot be chosen to collide.
  @inline(__always)
  func hash(seed: UInt64) -> UInt64 {
    let mixed = Self.folded(first ^ seed, second ^ 0xA076_1D64_78BD_642F)
    return Self.folded(mixed ^ third, seed ^ (UInt64(table) &<< 32 | UInt64(count)) ^ 0xE703_7ED1_A0B4_28DB)
  }

  @inline(__always)
  private static func folded(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = first.multipliedFullWidth(by: second)
    return product.high ^ product.low
  }
}
