import Fief
import FiefTorture
import Foundation

/// Random values, with those at which something changes.
struct QueryValues {
  var random: TortureRandom

  static let uuids = (0..<6).map {
    UUID(uuid: (UInt8($0 * 40), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, UInt8($0)))
  }
  static let ids = (0..<6).map {
    ObjectId("507f1f77bcf86cd7994390" + String(format: "%02x", $0 * 50)) ?? ObjectId()
  }

  /// Some are longer than an entry keeps; some differ in case only, or behind what is kept, or in how an accent is written.
  private mutating func text() -> String {
    let long = String(
      repeating: "x",
      count: random.pick([200, 226, 227, 228, 229, 230, 231, 238, 240, 300, 600])
    )
    return random.pick([
      "", "a", "A", "ab", "Ab", "aB", "abc", "b", "B", "ß", "SS", "ẞ", "é", "É", "e\u{301}", "E\u{301}", "日本",
      "a\u{0}", "a\u{1}b", "z", "İ", "ς", "Σ", "σ", "👩‍👩‍👧", "🇩🇪", "e", "\u{301}", "ﬁ", "a b", "*", "?", "\\", "%",
      "'", "\"",
      long, long + "a", long + "B", long + "b\(random.next(3))", "long \(long)", "\u{0}\u{1}" + long,
      String(repeating: "é", count: random.pick([113, 114, 115, 116])), sentence(), sentence(), sentence(),
      sentence(),
    ])
  }

  mutating func sentence() -> String {
    (0..<1 + random.next(5)).map { _ in word() }.joined(separator: random.pick([" ", ", ", ". "]))
  }

  mutating func word() -> String {
    random.pick([
      "quick", "Quick", "fox", "foxes", "apple", "Äpple", "tree", "trees", "cafe", "Café", "a", "the",
    ])
  }

  private mutating func integer(_ bounds: ClosedRange<Int>) -> Int {
    let value = random.pick([
      0, 1, -1, 2, 3, 5, 127, -128, 128, 255, -256, 32_767, 70_000, -70_000, 16_777_217, 1 << 53,
      (1 << 53) + 1,
      .max, .min, .max - 1, bounds.lowerBound, bounds.upperBound, random.next(20) - 10, random.next(6),
    ])
    return bounds.contains(value) ? value : random.next(100)
  }

  private mutating func double() -> Double {
    random.pick([
      0, -0.0, 1, -1, 0.5, 0.1, 3.5, -2.25, 1e30, -1e30, .infinity, -.infinity, .nan, 0x1p53, 0x1p63, -0x1p63,
      Double(random.next(9)), Double(random.next(9)) / 4, .leastNormalMagnitude, .greatestFiniteMagnitude,
    ])
  }

  private mutating func decimal() -> Decimal {
    random.pick([
      0, 1, -1, Decimal(string: "0.5") ?? 0, Decimal(string: "0.1") ?? 0, Decimal(string: "-3.25") ?? 0, .nan,
      12_345,
      Decimal(random.next(9)), Decimal(sign: .plus, exponent: -20, significand: 7),
      Decimal(string: "12345678901234567890123456789012345678") ?? 0,
      Decimal(sign: .minus, exponent: 60, significand: 3),
      Decimal(string: "9223372036854775807") ?? 0, Decimal(string: "9223372036854775807.5") ?? 0,
    ])
  }

  private mutating func date() -> Double {
    random.pick([0, -0.0, 1, -1, 5.5, 1000, 7e8, -6e10, .infinity, .nan, Double(random.next(10))])
  }

  /// A value of a column's type that it can have.
  mutating func value(of column: QueryColumn) -> PlainValue {
    switch column.container {
    case .one: return single(column)
    case .list: return .list((0..<count()).map { _ in single(column) })
    case .set:
      var values: [PlainValue] = []
      for _ in 0..<count() {
        let value = single(column)
        if !values.contains(where: { isSame($0, value) }) { values.append(value) }
      }
      return .list(values)
    case .map:
      let keys = ["a", "b", "key", "Zoë"].filter { _ in random.chance(2) }
      return .map(keys.map { (key: $0, value: single(column)) })
    }
  }

  private mutating func count() -> Int { random.pick([0, 1, 2, 2, 3, 5, random.chance(20) ? 300 : 4]) }

  /// Whether a set has a value already, or may take it for one that it has.
  private func isSame(_ first: PlainValue, _ second: PlainValue) -> Bool {
    if case .text(let first) = first, case .text(let second) = second { return first == second }
    if first.isNaN || second.isNaN { return true }
    return first.order(second) == 0
  }

  private mutating func single(_ column: QueryColumn) -> PlainValue {
    if column.isOptional, random.chance(4) { return .null }
    switch column.kind {
    case .bool: return .bool(random.chance(2))
    case .int8, .int16, .int32, .int: return .integer(Int128(integer(column.kind.bounds ?? 0...0)))
    case .float: return .double(Double(Float(double())))
    case .double: return .double(double())
    case .text: return .text(text())
    case .data: return .data(Data(text().utf8))
    case .date: return .date(date())
    case .uuid: return .uuid(random.pick(Self.uuids))
    case .objectId: return .objectId(random.pick(Self.ids))
    case .decimal: return .decimal(decimal())
    case .any:
      let kind = random.pick(QueryColumn.Kind.allCases)
      return kind == .any || random.chance(6)
        ? .null : single(QueryColumn(name: "", kind: kind == .float ? .double : kind))
    }
  }

  /// A key that no other object has, of a number.
  mutating func key(_ column: QueryColumn, number: Int) -> PlainValue {
    switch column.kind {
    case .int: return .integer(Int128(number % 3 == 0 ? -number * 1_000_003 : number))
    case .int16: return .integer(Int128(number % 2 == 0 ? number : -number))
    case .uuid:
      return .uuid(
        UUID(
          uuid: (
            UInt8(number * 37 % 256), UInt8(number % 256), UInt8(number / 256), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 1
          )
        )
      )
    case .objectId:
      return .objectId(
        ObjectId(String(format: "%02x%06x", number * 37 % 256, number) + "bcf86cd799439011") ?? ObjectId()
      )
    default:
      return .text(
        random.pick(["", "a\u{0}", "Ä", "long " + String(repeating: "y", count: 80)]) + "\(number)"
      )
    }
  }

  /// A value to compare with one of a family.
  mutating func literal(_ family: QueryColumn.Family) -> PlainValue {
    switch family {
    case .bool: return .bool(random.chance(2))
    case .number:
      switch random.next(4) {
      case 0: return .double(double())
      case 1: return .decimal(decimal())
      default: return .integer(Int128(integer(Int.min...Int.max)))
      }
    case .any:
      return single(
        QueryColumn(
          name: "",
          kind: random.pick([.int, .double, .text, .decimal, .date, .uuid, .data, .objectId, .text])
        )
      )
    case .text: return .text(text())
    case .data: return .data(Data(text().utf8))
    case .date: return .date(date())
    case .uuid: return .uuid(random.pick(Self.uuids))
    case .objectId: return .objectId(random.pick(Self.ids))
    case .link: return .null
    }
  }
}
