import Fief
import Testing

@testable import FiefCore

@Suite("Keyed hashes") struct KeyedHashTests {
  /// Lengths around those at which the computation changes.
  private static let lengths = [
    0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 500, 511, 512, 513, 527, 528, 529, 544, 545,
    1_024,
    1_056, 1_060,
  ]

  private func hash(_ bytes: [UInt8], from start: Int = 0) -> UInt64 {
    bytes.withUnsafeBytes { KeyedHash.of(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  @Test("have every byte in them", arguments: lengths) func bytes(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let value = hash(bytes)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1 << UInt8(index % 8)
      #expect(hash(other) != value, "\(count) bytes, byte \(index)")
    }
    #expect(hash(bytes + [0]) != value && hash(bytes) == value)
    // At another place in memory.
    for distance in 1..<9 {
      #expect(hash(Array(repeating: 9, count: distance) + bytes, from: distance) == value)
    }
  }

  @Test("of sequences say where a value ends") func sequences() {
    func hash(_ parts: [[UInt8]]) -> UInt64 {
      var hash = KeyedHash()
      for part in parts { part.withUnsafeBytes { hash.add($0) } }
      return hash.value
    }
    let long = Array(repeating: 1 as UInt8, count: 600)
    let sequences: [[[UInt8]]] = [
      [], [[]], [[], []], [[1, 2]], [[1], [2]], [[], [1, 2]], [[1, 2], []], [long], [long, []], [long, long],
      [long + long], [Array(long[..<512]), Array(long[512...])],
    ]
    #expect(Set(sequences.map(hash)).count == sequences.count)
    var (missing, empty) = (KeyedHash(), KeyedHash())
    missing.add(.missing)
    empty.add(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(Set([missing.value, empty.value, KeyedHash().value]).count == 3)
  }
}
