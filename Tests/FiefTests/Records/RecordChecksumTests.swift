import Fief
import Testing

@testable import FiefCore

@Suite("The checksum of a record")
struct RecordChecksumTests {
  /// The same function from its description: byte by byte, in 128-bit arithmetic.
  static func reference(_ bytes: [UInt8]) -> UInt32 {
    let secret: [UInt64] = [
      0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9, 0x4b33_a62e_d433_d4a3, 0x4d5a_2da5_1de1_aa47,
    ]
    func product(_ a: UInt64, _ b: UInt64) -> (UInt64, UInt64) {
      let wide = UInt128(a) * UInt128(b)
      return (UInt64(truncatingIfNeeded: wide), UInt64(truncatingIfNeeded: wide >> 64))
    }
    func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
      let (low, high) = product(a, b)
      return low ^ high
    }
    func number(_ at: Int, _ count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
    }
    let count = bytes.count
    var state = [UInt64](repeating: mix(secret[0], secret[1]), count: 3)
    var a: UInt64 = 0
    var b: UInt64 = 0
    switch count {
    case 0: break
    case 1...3: a = UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1])
    case 4...16:
      let inner = count < 8 ? 0 : (count < 16 ? 4 : 8)
      a = number(0, 4) << 32 | number(inner, 4)
      b = number(count - 4, 4) << 32 | number(count - 4 - inner, 4)
    default:
      var at = 0
      while count - at >= 48 {
        for lane in 0..<3 {
          state[lane] = mix(number(at, 8) ^ secret[lane + 1], number(at + 8, 8) ^ state[lane])
          at += 16
        }
      }
      if count >= 48 { state[0] ^= state[1] ^ state[2] }
      while count - at > 16 {
        state[0] = mix(number(at, 8) ^ secret[1], number(at + 8, 8) ^ state[0])
        at += 16
      }
      a = number(count - 16, 8)
      b = number(count - 8, 8)
    }
    let (low, high) = product(a ^ secret[1], b ^ state[0])
    let hash = mix(low ^ secret[0] ^ UInt64(count), high ^ secret[1])
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { RecordChecksum.compute($0) } }

  @Test("agrees with an independent implementation at every length up to 400")
  func reference() {
    let seed = PieceRandom.freshSeed()
    var random = PieceRandom(seed: seed)
    for count in 0...400 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Self.checksum(bytes) == Self.reference(bytes), "\(count) bytes, seed \(seed)")
    }
  }

  @Test("has these values, which are the format of a store")
  func known() {
    #expect(Self.checksum([]) == 0x93228a4d ^ 0xe0eec5a2)
    #expect(Self.checksum([1]) == 0x39a1_0bde ^ 0x68f1_5a1b)
    #expect(
      Self.checksum((0..<80).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }) == 0x601b_5b2d ^ 0xafef_7258
    )
  }

  @Test("changes with every single bit", arguments: [1, 3, 4, 8, 15, 16, 17, 47, 48, 49, 150, 333])
  func sensitivity(count: Int) {
    let seed = PieceRandom.freshSeed()
    var random = PieceRandom(seed: seed)
    var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let whole = Self.checksum(bytes)
    for bit in 0..<(8 * count) {
      bytes[bit / 8] ^= 1 << (bit % 8)
      #expect(Self.checksum(bytes) != whole, "bit \(bit) of \(count) bytes, seed \(seed)")
      bytes[bit / 8] ^= 1 << (bit % 8)
    }
  }

  @Test("changes when a record is cut, filled up, zeroed or its words change places")
  func damage() {
    let bytes = (0..<150).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var damaged = [bytes + [0], Array(bytes.dropLast()), Array(repeating: 0, count: 150), []]
    for word in 0..<17 {
      var swapped = bytes
      swapped.swapAt(8 * word, 8 * word + 8)
      damaged.append(swapped)
    }
    let zeros = (1...64).map { [UInt8](repeating: 0, count: $0) }
    #expect(Set(damaged.map(Self.checksum) + [Self.checksum(bytes)]).count == damaged.count + 1)
    #expect(Set(zeros.map(Self.checksum)).count == 64, "zeros of different lengths differ")
  }
}
