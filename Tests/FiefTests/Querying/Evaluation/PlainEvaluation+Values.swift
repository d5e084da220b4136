import Fief
import Foundation

@testable import FiefCore

extension PlainEvaluation {
  static func compare(
    _ first: PlainValue,
    _ comparison: QueryComparison,
    _ second: PlainValue,
    _ options: QueryTextOptions
  ) -> Bool {
    let order = order(first, second, options)
    switch comparison {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less: return order.map { $0 < 0 } ?? false
    case .lessOrEqual: return order.map { $0 <= 0 } ?? false
    case .greater: return order.map { $0 > 0 } ?? false
    case .greaterOrEqual: return order.map { $0 >= 0 } ?? false
    case .contains, .beginsWith, .endsWith:
      guard let text = bytes(first, options), let part = bytes(second, options) else { return false }
      switch comparison {
      case .beginsWith: return text.starts(with: part)
      case .endsWith: return text.reversed().starts(with: part.reversed())
      default: return (0...text.count).contains { text[$0...].starts(with: part) }
      }
    case .like:
      guard case .scalar(.string(let text)) = first, case .scalar(.string(let pattern)) = second else {
        return false
      }
      return like(
        Array(folded(text, options).unicodeScalars)[...],
        Array(folded(pattern, options).unicodeScalars)[...]
      )
    }
  }

  /// Negative, 0 or positive; nil where neither is less and they are not equal.
  private static func order(_ first: PlainValue, _ second: PlainValue, _ options: QueryTextOptions) -> Int? {
    switch (first, second) {
    case (.scalar(.null), .scalar(.null)): return 0
    case (.object(let first), .object(let second)): return first === second ? 0 : nil
    case (.object(let object), .scalar(.object(let type, let key))):
      return object.type == type && object.key == key ? 0 : nil
    case (.scalar(.object), .object): return order(second, first, options)
    case (.scalar(.bool(let first)), .scalar(.bool(let second))): return first == second ? 0 : nil
    case (.scalar(.nested(let first)), .scalar(.nested(let second))): return first == second ? 0 : nil
    case (.scalar(.date(let first)), .scalar(.date(let second))):
      return first < second ? -1 : first == second ? 0 : 1
    case (.scalar(let firstValue), .scalar(let secondValue)):
      if let first = Number(firstValue), let second = Number(secondValue) { return first.order(second) }
      guard let firstBytes = bytes(first, options), let secondBytes = bytes(second, options),
        isSameKind(firstValue, secondValue)
      else { return nil }
      if firstBytes == secondBytes { return 0 }
      return firstBytes.lexicographicallyPrecedes(secondBytes) ? -1 : 1
    default: return nil
    }
  }

  private static func isSameKind(_ first: QueryValue, _ second: QueryValue) -> Bool {
    switch (first, second) {
    case (.string, .string), (.data, .data), (.uuid, .uuid), (.objectId, .objectId): true
    default: false
    }
  }

  /// A number of the tests, which a decimal can hold exactly unless it is not finite.
  private struct Number {
    /// -1 and 1 for the infinities, nil for what is not a number.
    var rank: Int?
    var decimal = Decimal(0)

    init?(_ value: QueryValue) {
      switch value {
      case .integer(let value): (rank, decimal) = (0, Decimal(value))
      case .decimal(let value): (rank, decimal) = (0, value)
      case .double(let value):
        rank = value.isNaN ? nil : value == .infinity ? 1 : value == -.infinity ? -1 : 0
        if rank == 0 { decimal = Decimal(value) }
      default: return nil
      }
    }

    func order(_ other: Number) -> Int? {
      guard let rank, let otherRank = other.rank else { return nil }
      if rank != otherRank { return rank - otherRank }
      return decimal < other.decimal ? -1 : decimal == other.decimal ? 0 : 1
    }
  }

  private static func bytes(_ value: PlainValue, _ options: QueryTextOptions) -> [UInt8]? {
    switch value {
    case .scalar(.string(let text)): Array(folded(text, options).utf8)
    case .scalar(.data(let bytes)): bytes
    case .scalar(.uuid(let value)): withUnsafeBytes(of: value.uuid) { Array($0) }
    case .scalar(.objectId(let value)): value.withBytes { Array($0) }
    default: nil
    }
  }

  /// The folded text of the tests' characters, written by hand.
  private static func folded(_ text: String, _ options: QueryTextOptions) -> String {
    var text = text
    if options.contains(.diacriticInsensitive) {
      for (from, to) in [("\u{E9}", "e"), ("\u{C9}", "E"), ("e\u{301}", "e"), ("E\u{301}", "E")] {
        text = text.replacing(scalars: from, by: to)
      }
    }
    if options.contains(.caseInsensitive) {
      for letter in UInt8(ascii: "A")...UInt8(ascii: "Z") {
        let upper = String(UnicodeScalar(letter))
        text = text.replacing(scalars: upper, by: String(UnicodeScalar(letter + 32)))
      }
      for (from, to) in [("\u{C9}", "\u{E9}"), ("ß", "ss")] { text = text.replacing(scalars: from, by: to) }
    }
    return text
  }

  private static func like(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool
  {
    guard let first = pattern.first else { return text.isEmpty }
    switch first {
    case "*":
      return (text.startIndex...text.endIndex).contains { like(text[$0...], pattern.dropFirst()) }
    case "?": return !text.isEmpty && like(text.dropFirst(), pattern.dropFirst())
    case "\\" where pattern.count > 1:
      let literal = pattern.dropFirst()
      return text.first == literal.first && like(text.dropFirst(), literal.dropFirst())
    default: return text.first == first && like(text.dropFirst(), pattern.dropFirst())
    }
  }

  static func calculate(_ first: PlainValue, _ operation: QueryArithmetic, _ second: PlainValue) -> PlainValue
  {
    guard case .scalar(let first) = first, case .scalar(let second) = second else { return .null }
    switch (first, second) {
    case (.integer(let first), .integer(let second)):
      // The tests' integers and their results fit 64 bits, or else the product of two does not.
      let (result, isInvalid) =
        switch operation {
        case .add: first.addingReportingOverflow(second)
        case .subtract: first.subtractingReportingOverflow(second)
        case .multiply: first.multipliedReportingOverflow(by: second)
        case .divide: first.dividedReportingOverflow(by: second)
        case .remainder: first.remainderReportingOverflow(dividingBy: second)
        }
      return .scalar(isInvalid ? .null : .integer(result))
    case (.decimal, _), (_, .decimal): return .null
    default:
      guard let first = double(first), let second = double(second) else { return .null }
      switch operation {
      case .add: return PlainValue(first + second)
      case .subtract: return PlainValue(first - second)
      case .multiply: return PlainValue(first * second)
      case .divide: return PlainValue(first / second)
      case .remainder: return PlainValue(first.truncatingRemainder(dividingBy: second))
      }
    }
  }

  private static func double(_ value: QueryValue) -> Double? {
    switch value {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}

extension String {
  fileprivate func replacing(scalars from: String, by to: String) -> String {
    String(decoding: Array(utf8).replacing(Array(from.utf8), with: Array(to.utf8)), as: UTF8.self)
  }
}
