/// A hash under random keys of this process, by which observers compare values.
///
/// Two different values have the same hash with a probability of about 2⁻⁶³. Without the keys, no choice of values makes that more
/// likely. Each process has its own keys, so hashes are never stored; ``StableHash`` is for that.
///
/// Long values are compressed with NH, the universal hash of UMAC (RFC 4418) with words of 64 bits: its cost is one multiplication for
/// 16 bytes. Swift's `Hasher`, which is SipHash-1-3, takes the results.
package struct KeyedHash {
  /// A place in a sequence of values that is no value.
  package enum Mark: Int {
    /// There is no value.
    case missing = -1
    /// A sequence within the sequence.
    case start = -2
    case end = -3
  }

  /// The number of bytes that are compressed together.
  private static let blockSize = 512
  /// The greatest number of bytes for which `Hasher` alone is faster.
  private static let shortest = 32
  private static let keys: [UInt64] = {
    var generator = SystemRandomNumberGenerator()
    return (0..<(blockSize / 8)).map { _ in generator.next() }
  }()
  /// It has random bits of its own: with `SWIFT_DETERMINISTIC_HASHING` anyone knows the keys of `Hasher`.
  private static let start: Hasher = {
    var generator = SystemRandomNumberGenerator()
    var hasher = Hasher()
    for _ in 0..<2 { hasher.combine(generator.next()) }
    return hasher
  }()

  private var hasher = Self.start

  package init() {}

  /// The hash of all values that were added.
  package var value: UInt64 { UInt64(truncatingIfNeeded: hasher.finalize()) }

  /// The hash of some bytes.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = KeyedHash()
    hash.add(bytes)
    return hash.value
  }

  package mutating func add(_ mark: Mark) { hasher.combine(mark.rawValue) }

  package mutating func add(_ number: UInt64) { withUnsafeBytes(of: number) { add($0) } }

  /// Adds a value. Two sequences of values differ if their values do, or where one value ends.
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

  /// The sum, of 128 bits, of a product for each 16 bytes of a block. The last 16 bytes may overlap those before them.
  @inline(__always)
  private static func sum(_ block: UnsafeRawBufferPointer, _ keys: UnsafeRawBufferPointer) -> (
    low: UInt64, high: UInt64
  ) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    var offset = 0
    // SAFETY: a block has 16 bytes at least and no more than the keys; each load ends within both.
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
