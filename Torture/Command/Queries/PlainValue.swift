import Fief
import Foundation

/// A value as the evaluation in plain Swift has it.
enum PlainValue {
  case null
  case bool(Bool)
  case integer(Int128)
  case double(Double)
  case decimal(Decimal)
  case text(String)
  case data(Data)
  case date(Double)
  case uuid(UUID)
  case objectId(ObjectId)
  case row(PlainRow)
  case part([String: PlainValue])
  case list([PlainValue])
  case map([(key: String, value: PlainValue)])
}

/// An object of the plain world.
final class PlainRow {
  let isTarget: Bool
  let mark: Int
  let key: PlainValue
  var values: [String: PlainValue]

  init(isTarget: Bool, mark: Int, key: PlainValue, values: [String: PlainValue]) {
    self.isTarget = isTarget
    self.mark = mark
    self.key = key
    self.values = values
    self.values["mark"] = .integer(Int128(mark))
    self.values["id"] = key
  }
}

/// The documents do not say what is to come out; the answers of the stores are compared with each other alone.
struct Undecided: Error {}

extension PlainValue {
  var isNull: Bool { if case .null = self { true } else { false } }

  /// The bytes by which texts, data and identifiers are compared.
  var bytes: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .data(let data): Array(data)
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { Array($0) }
    case .objectId(let id): id.withBytes { Array($0) }
    default: nil
    }
  }

  /// Negative, 0 or positive; nil where neither is less and they are not equal.
  func order(_ other: PlainValue) -> Int? {
    switch (self, other) {
    case (.null, .null): return 0
    case (.bool(let first), .bool(let second)): return first == second ? 0 : first ? 1 : -1
    case (.row(let first), .row(let second)): return first === second ? 0 : nil
    case (.date(let first), .date(let second)):
      return first < second ? -1 : first == second ? 0 : first > second ? 1 : nil
    case (.text, .text), (.data, .data), (.uuid, .uuid), (.objectId, .objectId):
      guard let first = bytes, let second = other.bytes else { return nil }
      return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
    default:
      guard let first = PlainNumber(self), let second = PlainNumber(other) else { return nil }
      return first.order(second)
    }
  }

  /// The order of a sort, in which every two values have one: a number or a date that is none is the greatest, a decimal the least.
  func sortOrder(_ other: PlainValue) throws -> Int {
    if let order = order(other) { return order }
    let (first, second) = (isNaN, other.isNaN)
    guard first || second else { throw Undecided() }
    let isDecimal = if case .decimal = self { true } else { false }
    return first == second ? 0 : first != isDecimal ? 1 : -1
  }

  var isNaN: Bool {
    switch self {
    case .double(let value), .date(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }
}

/// A number with its exact value: a product of an integer and powers of two and five.
struct PlainNumber {
  private enum Kind { case finite, infinite, none }

  private var kind = Kind.finite
  private var isNegative = false
  /// Digits to the base 2^32, the least at the front.
  private var digits: [UInt32] = []
  private var twos = 0
  private var fives = 0
  /// The value where it fits, for the frequent case.
  private var small: Int128?

  init?(_ value: PlainValue) {
    switch value {
    case .integer(let value):
      small = value
      isNegative = value < 0
      digits = Self.digits(value.magnitude)
    case .double(let value):
      isNegative = value < 0
      if value.isNaN {
        kind = .none
      } else if value.isInfinite {
        kind = .infinite
      } else if value != 0 {
        // 53 bits and an exponent, whatever the number is.
        twos = Int(value.exponent) - 52
        digits = Self.digits(UInt128((value.significand.magnitude * 0x1p52).rounded()))
      }
    case .decimal(let value):
      if value.isNaN {
        kind = .none
      } else {
        isNegative = value < 0
        var significand = value.significand
        significand = significand.magnitude
        guard let whole = UInt128("\(significand)") else { return nil }
        digits = Self.digits(whole)
        (twos, fives) = (value.exponent, value.exponent)
      }
    default: return nil
    }
    while digits.last == 0 { digits.removeLast() }
  }

  private static func digits(_ value: UInt128) -> [UInt32] {
    (0..<4).map { UInt32(truncatingIfNeeded: value >> (UInt128($0) * 32)) }
  }

  func order(_ other: PlainNumber) -> Int? {
    if kind == .none || other.kind == .none { return nil }
    if let small, let second = other.small { return small < second ? -1 : small == second ? 0 : 1 }
    let (first, second) = (sign, other.sign)
    if first != second { return first < second ? -1 : 1 }
    if first == 0 { return 0 }
    if kind == .infinite || other.kind == .infinite {
      return kind == other.kind ? 0 : (kind == .infinite ? first : -first)
    }
    var (one, two) = (self, other)
    let (least, leastFives) = (min(twos, other.twos), min(fives, other.fives))
    one.raise(twos - least, fives - leastFives)
    two.raise(other.twos - least, other.fives - leastFives)
    if one.digits == two.digits { return 0 }
    let isLess =
      one.digits.count != two.digits.count
      ? one.digits.count < two.digits.count
      : one.digits.reversed().lexicographicallyPrecedes(two.digits.reversed())
    return isLess ? -first : first
  }

  private var sign: Int { digits.isEmpty && kind == .finite ? 0 : isNegative ? -1 : 1 }

  private mutating func raise(_ twos: Int, _ fives: Int) {
    for _ in 0..<twos / 31 { multiply(1 << 31) }
    multiply(1 << UInt64(twos % 31))
    for _ in 0..<fives { multiply(5) }
  }

  private mutating func multiply(_ factor: UInt64) {
    var carry: UInt64 = 0
    for index in digits.indices {
      let product = UInt64(digits[index]) * factor + carry
      digits[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry > 0 { digits.append(UInt32(carry)) }
  }
}
