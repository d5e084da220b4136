import Foundation

/// The order of byte sequences in LMDB: the first byte that differs decides; a prefix precedes the longer
/// sequence.
extension UnsafeRawBufferPointer {
  /// Compares two ranges of the bytes. The result is less than, equal to or greater than 0.
  @inline(__always)
  func compare(_ first: Range<Int>, _ second: Range<Int>) -> Int {
    guard let base = baseAddress else { return 0 }
    let common = Swift.min(first.count, second.count)
    // SAFETY: both ranges lie inside the buffer, because callers take them from bytes that were written.
    let order = memcmp(base + first.lowerBound, base + second.lowerBound, common)
    return order == 0 ? first.count - second.count : Int(order)
  }

  /// Returns the first eight bytes of a sequence as a number with the same order. Sequences with different
  /// numbers are ordered by them; sequences with the same number have to be compared completely.
  @inline(__always)
  func prefix(at start: Int, count: Int) -> UInt64 {
    if start + 8 <= self.count {
      let bytes = UInt64(bigEndian: loadUnaligned(fromByteOffset: start, as: UInt64.self))
      // A masking shift would treat 64 as 0.
      return count >= 8 ? bytes : bytes & ~(UInt64.max >> UInt64(truncatingIfNeeded: count * 8))
    }
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < count ? UInt64(self[start + index]) : 0) }
    return prefix
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian float at the beginning of the bytes. There must be at least four bytes.
  @inline(__always)
  var leadingFloat: Float {
    Float(bitPattern: UInt32(littleEndian: loadUnaligned(as: UInt32.self)))
  }

  /// The little-endian double at the beginning of the bytes. There must be at least eight bytes.
  @inline(__always)
  package var leadingDouble: Double {
    Double(bitPattern: UInt64(littleEndian: loadUnaligned(as: UInt64.self)))
  }

  /// Compares two byte sequences like `memcmp`; a prefix is less than a longer sequence. The result is less
  /// than, equal to or greater than 0.
  @inline(__always)
  package func compare(_ other: UnsafeRawBufferPointer) -> Int {
    let common = Swift.min(count, other.count)
    guard common > 0, let base = baseAddress, let otherBase = other.baseAddress else {
      return count - other.count
    }
    // SAFETY: both buffers have at least `common` bytes.
    let order = memcmp(base, otherBase, common)
    return order == 0 ? count - other.count : Int(order)
  }

  /// Whether both buffers have the same bytes.
  @inline(__always)
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard count > 0, let base = baseAddress, let otherBase = other.baseAddress else { return true }
    // SAFETY: both buffers have `count` bytes.
    return memcmp(base, otherBase, count) == 0
  }
}

extension ValueWriter {
  func hasSameBytes(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    withBytes { $0.compare(first, second) == 0 }
  }

  func prefix(at start: Int, count: Int) -> UInt64 {
    withBytes { $0.prefix(at: start, count: count) }
  }
}
