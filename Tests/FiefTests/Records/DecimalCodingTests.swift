import Fief
import Foundation
import LMDB
import TestEffort
import Testing

@Suite("Decimal numbers as bytes")
struct DecimalCodingTests {
  static func decoded(_ bytes: [UInt8]) -> Decimal? { bytes.withUnsafeBytes { DecimalCoding.decode($0) } }

  static func random(_ random: inout PieceRandom) -> (Decimal, sign: Int, digits: String, magnitude: Int) {
    var mantissa = (UInt128(random.next()) << 64 | UInt128(random.next()))
    mantissa >>= UInt128.random(in: 0...127, using: &random)
    if random.next() % 4 == 0 { mantissa -= mantissa % 1_000 }
    if random.next() % 50 == 0 { mantissa = .max }
    if random.next() % 10 == 0 { mantissa = 0 }
    let exponent = Int.random(in: random.next() % 2 == 0 ? -128...127 : -3...3, using: &random)
    let sign = mantissa == 0 ? 0 : (Bool.random(using: &random) ? 1 : -1)
    let text = "\(sign < 0 ? "-" : "")\(mantissa)e\(exponent)"
    var digits = mantissa == 0 ? "" : String(mantissa)
    let magnitude = mantissa == 0 ? 0 : digits.count + exponent
    while digits.last == "0" { digits.removeLast() }
    return (Decimal(string: text) ?? .nan, sign, digits, magnitude)
  }

  @Test("come back exactly and are ordered as the numbers, over the whole range")
  func wholeRange() {
    let seed = PieceRandom.freshSeed()
    var random = PieceRandom(seed: seed)
    var equal = 0
    for _ in 0..<10_000 {
      let a = Self.random(&random)
      let b = Self.random(&random)
      guard !a.0.isNaN, !b.0.isNaN else { continue }
      let (x, y) = (DecimalCoding.encode(a.0), DecimalCoding.encode(b.0))
      #expect(Self.decoded(x) == a.0, "\(a), seed \(seed)")
      #expect(Self.decoded(x).map { DecimalCoding.encode($0) } == x, "\(a), seed \(seed)")
      #expect(x.count <= 23 && !x.contains(0) && !x.contains(1), "\(a), seed \(seed)")
      // The order is by sign, then by the place of the first digit, then by the digits.
      let magnitudes = a.magnitude == b.magnitude ? a.digits < b.digits : a.magnitude < b.magnitude
      let isSame = a.sign == b.sign && a.digits == b.digits && a.magnitude == b.magnitude
      let precedes =
        a.sign != b.sign
        ? a.sign < b.sign : !isSame && (a.sign > 0 ? magnitudes : !magnitudes)
      #expect(x.lexicographicallyPrecedes(y) == precedes, "\(a) and \(b), seed \(seed)")
      #expect((x == y) == isSame, "\(a) and \(b), seed \(seed)")
      if isSame { equal += 1 }
    }
    #expect(equal > 0, "some pairs are equal, seed \(seed)")
  }

  @Test("are ordered as Decimal itself orders them, also inside keys")
  func amounts() throws {
    let seed = PieceRandom.freshSeed()
    var random = PieceRandom(seed: seed)
    func amount() -> Decimal {
      Decimal(
        sign: Bool.random(using: &random) ? .plus : .minus,
        exponent: Int.random(in: -3...3, using: &random),
        significand: Decimal(Int.random(in: 0...3_000, using: &random))
      )
    }
    func key(_ value: Decimal) -> [UInt8] {
      var encoder = KeyEncoder()
      encoder.append(decimal: DecimalCoding.encode(value))
      encoder.append(Int64(5))
      return encoder.bytes
    }
    for _ in 0..<10_000 {
      let (a, b) = (amount(), amount())
      let (x, y) = (DecimalCoding.encode(a), DecimalCoding.encode(b))
      #expect(x.lexicographicallyPrecedes(y) == (a < b), "\(a) and \(b), seed \(seed)")
      #expect((x == y) == (a == b), "\(a) and \(b), seed \(seed)")
      #expect(key(a).lexicographicallyPrecedes(key(b)) == (a < b), "\(a) and \(b), seed \(seed)")
      #expect(key(a).count == x.count + 4, "no byte is escaped: \(a), seed \(seed)")
    }
  }

  @Test("are the same for a number that was computed in another way")
  func equalNumbers() {
    let thousand = Decimal(sign: .plus, exponent: 127, significand: 1)
    let forms: [[Decimal]] = [
      [Decimal(1_000), Decimal(sign: .plus, exponent: 3, significand: 1), Decimal(string: "1000.000") ?? 0],
      [Decimal(0), -Decimal(0), Decimal(5) - Decimal(5), Decimal(sign: .minus, exponent: 9, significand: 0)],
      [
        Decimal(string: "-0.10") ?? 0, Decimal(-1) / Decimal(10),
        Decimal(sign: .minus, exponent: -1, significand: 1),
      ],
      [Decimal.nan, -Decimal.nan, Decimal.nan + 1],
      [thousand * 9 + thousand, Decimal(string: "10e127") ?? 0],
    ]
    for numbers in forms {
      #expect(Set(numbers.map { DecimalCoding.encode($0) }).count == 1, "\(numbers)")
      for number in numbers { #expect(Self.decoded(DecimalCoding.encode(number)) == number) }
    }
  }

  @Test("reach the ends of the range, and NaN is before them")
  func ends() {
    let ascending: [Decimal] = [
      .nan, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude,
      Decimal(sign: .minus, exponent: -128, significand: 1), 0,
      Decimal(sign: .plus, exponent: -128, significand: 1), .leastNonzeroMagnitude, 1, 10,
      Decimal(sign: .plus, exponent: 127, significand: 10_000_001), .greatestFiniteMagnitude,
    ]
    let bytes = ascending.map { DecimalCoding.encode($0) }
    for (number, bytes) in zip(ascending, bytes) { #expect(Self.decoded(bytes) == number) }
    #expect(zip(bytes, bytes.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }

  @Test("have this form, which is the format of a store")
  func format() {
    #expect(DecimalCoding.encode(Decimal(string: "12.345") ?? 0) == [0xC1, 4, 14, 36, 52])
    #expect(DecimalCoding.encode(Decimal(string: "-12.345") ?? 0) == [0x3E, 251, 241, 219, 203, 0xFF])
    #expect(DecimalCoding.encode(0) == [0x80])
    #expect(DecimalCoding.encode(.nan) == [0x02])
  }

  @Test("that are not those of a number are refused")
  func damaged() {
    let seed = PieceRandom.freshSeed()
    var random = PieceRandom(seed: seed)
    var accepted = 0
    for _ in 0..<TestEffort.count(20_000, more: 60_000) {
      var bytes = DecimalCoding.encode(Self.random(&random).0)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        switch random.next() % 3 {
        case 0: bytes.append(UInt8.random(in: 0...255, using: &random))
        case 1: if !bytes.isEmpty { bytes.removeLast() }
        default:
          if let index = bytes.indices.randomElement(using: &random) {
            bytes[index] = UInt8.random(in: 0...255, using: &random)
          }
        }
      }
      guard let number = Self.decoded(bytes) else { continue }
      accepted += 1
      #expect(DecimalCoding.encode(number) == bytes, "\(bytes) is \(number), seed \(seed)")
    }
    #expect(accepted > TestEffort.count(100, more: 300), "seed \(seed)")
    #expect(Self.decoded([]) == nil)
  }
}
