#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A key to search for in pages, with its first bytes as a number, which decides most comparisons.
struct SearchKey {
  // SAFETY: the caller keeps the bytes alive while the key is used.
  let start: UnsafeRawPointer
  let count: Int
  /// The first eight bytes as a big-endian number. A shorter key is padded with zeros.
  let prefix: UInt64

  /// - Precondition: `bytes` is not empty.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return nil }
    self.start = start
    count = bytes.count
    if bytes.count >= 8 {
      prefix = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    } else {
      var word: UInt64 = 0
      for index in 0..<bytes.count {
        word = word &<< 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self))
      }
      prefix = word &<< UInt64((8 &- bytes.count) &* 8)
    }
  }

  /// Returns the first eight bytes of a key in a page as a big-endian number. A shorter key is padded with
  /// zeros.
  ///
  /// - Parameters:
  ///   - key: The first byte. The eight bytes before it, which belong to the node's head, must be readable.
  ///   - count: The number of bytes.
  @inline(__always)
  static func prefix(_ key: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 8 { return UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)) }
    if count == 0 { return 0 }
    // The eight bytes that end with the key, without the bytes before it.
    let end = UInt64(bigEndian: (key + (count &- 8)).loadUnaligned(as: UInt64.self))
    return end &<< UInt64((8 &- count) &* 8)
  }

  /// Compares a key of a page with this key. The result is negative, zero or positive, as for `memcmp`.
  ///
  /// - Parameters:
  ///   - other: The key's first byte, as for ``prefix(_:_:)``.
  ///   - length: The number of its bytes.
  @inline(__always)
  func compare(_ other: UnsafeRawPointer, _ length: Int) -> Int {
    let word = SearchKey.prefix(other, length)
    if word != prefix { return word < prefix ? -1 : 1 }
    // A key that ends within these eight bytes was compared as if it were followed by zeros.
    guard length > 8, count > 8 else { return length &- count }
    return compareRest(other, length)
  }

  @inline(never)
  private func compareRest(_ other: UnsafeRawPointer, _ length: Int) -> Int {
    let order = Int(memcmp(other + 8, start + 8, min(length, count) &- 8))
    return order != 0 ? order : length &- count
  }
}
