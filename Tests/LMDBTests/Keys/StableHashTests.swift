import LMDB
import Testing

@Suite("The stable hash")
struct StableHashTests {
  /// The published values of wyhash's final version 4.2 for the messages of its `test_vector.cpp`.
  static let published: [(String, UInt64, UInt64)] = [
    ("", 0, 0x9322_8a4d_e0ee_c5a2),
    ("a", 1, 0xc5ba_c3db_1787_13c4),
    ("abc", 2, 0xa97f_2f7b_1d9b_3314),
    ("message digest", 3, 0x786d_1f1d_f380_1df4),
    ("abcdefghijklmnopqrstuvwxyz", 4, 0xdca5_a813_8ad3_7c87),
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 5, 0xb9e7_34f1_17cf_af70),
    (String(repeating: "1234567890", count: 8), 6, 0x6cc5_eab4_9a92_d617),
  ]

  /// Values of the reference for the bytes `i * 7 + 1`, at the lengths where its paths change.
  static let lengths: [(Int, UInt64)] = [
    (1, 0x39a1_0bde_68f1_5a1b), (3, 0xe962_9f9b_d922_7e63), (4, 0xf610_24db_5a71_5a40),
    (8, 0xef68_2408_86d1_9638), (14, 0x419e_65d2_e78d_5560), (16, 0xa9ae_cb23_fb1c_b420),
    (17, 0xdb40_98d1_0618_bc3c), (32, 0x8082_521d_fb78_d6d4), (48, 0xaee0_15b8_9490_a9c7),
    (80, 0x601b_5b2d_afef_7258),
  ]

  @Test("has the reference's value at each length where its path changes", arguments: lengths)
  func paths(count: Int, expected: UInt64) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
    #expect(bytes.withUnsafeBytes { StableHash.hash($0) } == expected)
  }

  @Test("has the published values", arguments: published)
  func vectors(text: String, seed: UInt64, expected: UInt64) {
    #expect(Array(text.utf8).withUnsafeBytes { StableHash.hash($0, seed: seed) } == expected)
  }

  @Test("does not depend on the alignment of the bytes")
  func alignment() {
    let seed = KeyRandom.freshSeed()
    var random = KeyRandom(seed: seed)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let expected = bytes.withUnsafeBytes { StableHash.hash($0) }
      for offset in 1..<8 {
        let moved = [UInt8](repeating: 0xAA, count: offset) + bytes + [0x55]
        let hash = moved.withUnsafeBytes {
          StableHash.hash(UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
        }
        #expect(hash == expected, "\(count) bytes at \(offset), seed \(seed)")
      }
    }
  }
}
