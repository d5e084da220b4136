@testable import LMDB

/// SplitMix64, so that a failure can be repeated from its seed.
struct KeyRandom: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  static func freshSeed() -> UInt64 { UInt64.random(in: 0...UInt64.max) }
}

extension KeyElement {
  static let kindCount = 12

  /// The place of the type among the types; the order that the documentation of KeyEncoder promises.
  var kind: Int {
    switch self {
    case .null: 0
    case .bytes: 1
    case .string: 2
    case .integer, .unsigned: 3
    case .float: 5
    case .double: 6
    case .bool(let value): value ? 8 : 7
    case .uuid: 9
    case .objectID: 10
    case .date: 11
    case .decimal: 12
    }
  }

  /// A random value of one of `kindCount` kinds, with many close neighbours and edge cases.
  static func random(kind: Int, _ random: inout KeyRandom) -> KeyElement {
    switch kind {
    case 0: .null
    case 1: .integer(Int64(bitPattern: edgy(&random)))
    case 2: .unsigned(edgy(&random) | (1 << 63))
    case 3: .float(Float(bitPattern: UInt32(truncatingIfNeeded: edgy(&random))))
    case 4: .double(randomDouble(&random))
    case 5: .bool(Bool.random(using: &random))
    case 6: .string(randomString(&random))
    case 7: .bytes(randomBytes(&random, count: Int.random(in: 0...6, using: &random)))
    case 8: .uuid(randomBytes(&random, count: 16))
    case 9: .objectID(randomBytes(&random, count: 12))
    case 10: .date(randomDouble(&random))
    default: .decimal(randomBytes(&random, count: Int.random(in: 0...6, using: &random)))
    }
  }

  private static func edgy(_ random: inout KeyRandom) -> UInt64 {
    let full = random.next()
    switch full % 4 {
    case 0: return full
    case 1: return full >> UInt64.random(in: 0...63, using: &random)
    case 2: return ~(full >> UInt64.random(in: 0...63, using: &random))
    default:
      let power: UInt64 = 1 << UInt64.random(in: 0...63, using: &random)
      return power &+ UInt64.random(in: 0...2, using: &random) &- 1
    }
  }

  private static func randomDouble(_ random: inout KeyRandom) -> Double {
    let edges: [Double] = [0, -0.0, 1, -1, .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude]
    if Bool.random(using: &random) { return edges.randomElement(using: &random) ?? 0 }
    return Double(bitPattern: random.next())
  }

  private static func randomString(_ random: inout KeyRandom) -> String {
    let alphabet: [Unicode.Scalar] = ["\0", "\u{1}", "\u{2}", "a", "b", "é", "e", "\u{301}", "\u{FFFD}", "😀"]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      text.append(alphabet.randomElement(using: &random) ?? "a")
    }
    return String(text)
  }

  static func randomBytes(_ random: inout KeyRandom, count: Int) -> [UInt8] {
    let alphabet: [UInt8] = [0, 1, 1, 2, 0x14, 0x33, 0xFE, 0xFF, 0xFF]
    return (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
  }

  /// -1, 0 or 1: the order of two values by definitions other than the encoder's.
  static func order(_ a: KeyElement, _ b: KeyElement) -> Int {
    func compare<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (a == b ? 0 : 1) }
    func lexicographic(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
      a.lexicographicallyPrecedes(b) ? -1 : (b.lexicographicallyPrecedes(a) ? 1 : 0)
    }
    func total<T: BinaryFloatingPoint>(_ a: T, _ b: T) -> Int {
      let below = a.isTotallyOrdered(belowOrEqualTo: b)
      return below && b.isTotallyOrdered(belowOrEqualTo: a) ? 0 : (below ? -1 : 1)
    }
    if a.kind != b.kind { return compare(a.kind, b.kind) }
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return compare(a, b)
    case (.unsigned(let a), .unsigned(let b)): return compare(a, b)
    case (.integer, .unsigned): return -1
    case (.unsigned, .integer): return 1
    case (.float(let a), .float(let b)): return total(a, b)
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): return total(a, b)
    case (.string(let a), .string(let b)): return lexicographic(a.utf8, b.utf8)
    case (.bytes(let a), .bytes(let b)), (.uuid(let a), .uuid(let b)),
      (.objectID(let a), .objectID(let b)), (.decimal(let a), .decimal(let b)):
      return lexicographic(a, b)
    default: return 0
    }
  }

  /// Equality that distinguishes NaNs and zeros by their bits.
  static func isSame(_ a: KeyElement, _ b: KeyElement) -> Bool {
    switch (a, b) {
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): Array(a.utf8) == Array(b.utf8)
    default: a == b
    }
  }
}
