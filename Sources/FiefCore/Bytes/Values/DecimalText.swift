import Foundation

/// A decimal number in text form: its digits and their exponent, without rounding.
struct DecimalText {
  let isNegative: Bool
  /// The digits without leading and trailing zeros; empty for zero.
  private(set) var digits: ArraySlice<UInt8>
  /// The power of ten by which the digits, read as an integer, are multiplied.
  private(set) var exponent: Int

  /// Parses a sign, digits with a decimal point, and an exponent. Returns `nil` for any other text.
  init?(_ text: String) {
    var rest = text.utf8[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    func isDigit(_ unit: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) }
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var power = 0
    if let mark = rest.first {
      guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return nil }
      guard let given = Self.power(rest.dropFirst()) else { return nil }
      power = given
    }
    digits = (Array(whole) + Array(fraction)).map { $0 - UInt8(ascii: "0") }[...]
    exponent = power - fraction.count
    digits = digits.drop { $0 == 0 }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { exponent = 0 }
  }

  /// Parses an exponent. An exponent that is too long for any number is clamped to a value that no type
  /// supports.
  private static func power(_ text: Substring.UTF8View) -> Int? {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    guard !rest.isEmpty, rest.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    let size = rest.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1_000_000_000) }
    return isNegative ? -size : size
  }

  /// Whether the number has no fraction.
  var isWhole: Bool { exponent >= 0 }

  /// The number as an integer; `nil` if it is not an integer or does not fit.
  var integer: Int128? {
    guard isWhole, digits.count + exponent <= 38 else { return nil }
    var value: Int128 = 0
    for digit in digits { value = value * 10 + Int128(digit) }
    for _ in 0..<exponent { value *= 10 }
    return isNegative ? -value : value
  }

  /// The exact number; `nil` if `Decimal` cannot represent all digits.
  var decimal: Decimal? {
    guard !digits.isEmpty else { return .zero }
    guard digits.count <= 39, (-128...255).contains(digits.count + exponent) else { return nil }
    var bytes: [UInt8] = []
    digits.withUnsafeBufferPointer {
      DecimalCoding.append($0, exponent: exponent, isNegative: isNegative, to: &bytes)
    }
    return bytes.withUnsafeBytes { DecimalCoding.decode($0) }
  }
}

/// A number in a JSON document that is not an `Int`. The text is kept, because its value is only determined
/// when the type of the property is known.
package struct JSONNumber: CustomStringConvertible {
  package let text: String

  /// The number as it is written.
  package var description: String { text }
}
