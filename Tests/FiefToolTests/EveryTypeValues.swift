import Fief
import FiefConsole
import Foundation

/// Random values of every type, many of them at the edges.
struct EveryTypeValues {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func number() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ count: Int) -> Int { Int(number() % UInt64(count)) }
  mutating func bool() -> Bool { number() & 1 == 0 }
  mutating func maybe<Value>(_ value: Value) -> Value? { below(3) == 0 ? nil : value }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
    switch below(6) {
    case 0: .min
    case 1: .max
    case 2: 0
    case 3: Value(truncatingIfNeeded: Int64(1) << 53 + 1)
    default: Value(truncatingIfNeeded: number())
    }
  }

  mutating func double() -> Double {
    let edges: [Double] = [
      0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 0.1, 1e16,
      Double(bitPattern: 0x7FF8_0000_0000_0001), Double(bitPattern: 0xFFF8_0000_0000_0000),
    ]
    let index = below(edges.count * 2)
    return index < edges.count ? edges[index] : Double(bitPattern: number() & ~(0x7FF << 52) | 0x3FF << 52)
  }

  mutating func float() -> Float {
    let edges: [Float] = [
      0, -0.0, .infinity, .nan, .leastNonzeroMagnitude, 0.1, Float(bitPattern: 0x7FC0_0001),
    ]
    let index = below(edges.count * 2)
    return index < edges.count ? edges[index] : Float(below(1_000_000)) / 7
  }

  mutating func string() -> String {
    let edges = [
      "", " ", "null", "[1]", "{\"$int\":1}", "a,b", "\"quoted\"", "line\nbreak", "\r\n", "\u{0}\u{1}\u{7F}",
      "日本語", "e\u{301}", "👩‍👩‍👧", "\u{2028}\u{FEFF}", "\\", "$key", "-0", "NaN", "@1",
    ]
    let index = below(edges.count * 2)
    return index < edges.count ? edges[index] : String(number(), radix: 36) + edges[below(edges.count)]
  }

  mutating func data() -> Data { Data((0..<below(9)).map { _ in UInt8(truncatingIfNeeded: number()) }) }

  mutating func date() -> Date {
    let edges: [Double] = [
      0, -0.0, -1e-20, 1e-300, 0.1, -0.1, .nan, .infinity, -63_145_526_400, 252_423_993_599.999,
      252_423_993_600, -1e18, 1e300, 774_000_000.123, 774_000_000.123_456_7,
    ]
    let index = below(edges.count * 2)
    let plain = Double(below(2_000_000_000)) - 1_000_000_000 + Double(below(1 << 30)) / Double(1 << 30)
    return Date(timeIntervalSinceReferenceDate: index < edges.count ? edges[index] : plain)
  }

  mutating func uuid() -> UUID {
    let (a, b) = (number(), number())
    return withUnsafeBytes(of: (a, b)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  mutating func objectId() -> ObjectId {
    let (a, b) = (number(), number())
    return withUnsafeBytes(of: (a, b)) { bytes in
      ObjectId(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<12])) ?? ObjectId()
    }
  }

  mutating func decimal() -> Decimal {
    let edges = [
      "0", "-0.01", "340282366920938463463374607431768211455", "0.00000000000000000000000000000000000001",
      "-99999999999999999999999999999999999999", "1e100", "1e-120",
    ]
    if below(8) == 0 { return .nan }
    return Decimal(string: edges[below(edges.count)]) ?? 0
  }

  mutating func any(depth: Int = 0) -> AnyRealmValue {
    switch below(depth < 3 ? 14 : 12) {
    case 0: .none
    case 1: .int(integer(Int.self))
    case 2: .bool(bool())
    case 3: .float(float())
    case 4: .double(double())
    case 5: .string(string())
    case 6: .data(data())
    case 7: .date(date())
    case 8: .objectId(objectId())
    case 9: .decimal128(decimal())
    case 10: .uuid(uuid())
    case 12: .list((0..<below(4)).map { _ in any(depth: depth + 1) })
    case 13:
      .dictionary(Dictionary((0..<below(4)).map { _ in (string(), any(depth: depth + 1)) }) { $1 })
    default: .double(Double(below(100)))
    }
  }
}
