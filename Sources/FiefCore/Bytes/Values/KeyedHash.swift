/// A hash with random keys of this process. Observers use it to compare values.
///
/// Two different values have the same hash with a probability of about 2⁻⁶³. Without knowing the keys, values
/// cannot be chosen to make this more likely. Each process has its own keys, so the hashes are never stored;
/// stored hashes use ``StableHash``.
///
/// Long values are compressed with NH, the universal hash of UMAC (RFC 4418), with 64-bit words. It costs one
/// multiplication per 16 bytes. The results are added to Swift's `Hasher`, which is SipHash-1-3.
package struct KeyedHash {
  /// A mark that takes the position of a value in a sequence of values.
  package enum Mark: Int {
    /// A missing value.
    case missing = -1
    /// The beginning of a nested sequence.
    case start = -2
    case end = -3
  }

  /// The number of bytes that are compressed together.
  private static let blockSize = 512
  /// The maximum number of bytes for which `Hasher` alone is faster.
  private static let shortest = 32
  private static let keys: [UInt64] = {
    var generator = SystemRandomNumberGenerator()
    return (0..<(blockSize / 8)).map { _ in generator.next() }
  }()
  /// The initial hasher. It contains random bits, because with `SWIFT_DETERMINISTIC_HASHING` the keys of
  /// `Hasher` are known.
  private static let start: Hasher = {
    var generator = SystemRandomNumberGenerator()
    var hasher = Hasher()
    for _ in 0..<2 { hasher.combine(generator.next()) }
    return hasher
  }()

  private var hasher = Self.start

  package init() {}

  /// The hash of all values added so far.
  package var value: UInt64 { UInt64(truncatingIfNeeded: hasher.finalize()) }

  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = KeyedHash()
    hash.add(bytes)
    return hash.value
  }

  package mutating func add(_ mark: Mark) { hasher.combine(mark.rawValue) }

  package mutating func add(_ number: UInt64) { withUnsafeBytes(of: number) { add($0) } }

  /// Adds a value. Sequences of values differ if their values differ or are divided differently.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    hasher.combine(bytes.count)
    Self.keys.withUnsafeBytes { keys in
      var start = 0
      while start < bytes.count {
        let end = min(start + Self.blockSize, bytes.count)
        let block = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if block.count <= Self.shortest { return hasher.combine(bytes: block) }
        let sum = Self.sum(block, keys)
        hasher.combine(sum.low)
        hasher.combine(sum.high)
        start = end
      }
    }
  }

  /// Returns the 128-bit sum of a product for each 16 bytes of a block. The last 16 bytes may overlap the
  /// previous ones.
  @inline(__always)
  private static func sum(_ block: UnsafeRawBufferPointer, _ keys: UnsafeRawBufferPointer) -> (
    low: UInt64, high: UInt64
  ) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    var offset = 0
    // SAFETY: a block has at least 16 bytes and is not longer than the keys, so each load ends within both.
    while offset < block.count {
      let start = min(offset, block.count &- 16)
      let first = block.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      let second = block.loadUnaligned(fromByteOffset: start &+ 8, as: UInt64.self)
      let product = (first &+ keys.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        .multipliedFullWidth(by: second &+ keys.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
      let (sum, carries) = low.addingReportingOverflow(product.low)
      low = sum
      high = high &+ product.high &+ (carries ? 1 : 0)
      offset &+= 16
    }
    return (low, high)
  }
}
