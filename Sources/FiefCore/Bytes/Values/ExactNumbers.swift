import Foundation

/// Comparisons of numbers of different kinds by their exact values.
enum ExactNumbers {
  /// Compares two numbers. The result is less than, equal to or greater than 0, or `nil` if the second is
  /// NaN.
  static func compare(_ first: Int128, _ second: Double) -> Int? {
    if second.isNaN { return nil }
    // 2^127 is greater than any 128-bit integer.
    if second >= 0x1p127 { return -1 }
    if second < -0x1p127 { return 1 }
    let whole = second.rounded(.towardZero)
    guard let integer = Int128(exactly: whole) else { return nil }
    if first != integer { return first < integer ? -1 : 1 }
    return whole < second ? -1 : whole > second ? 1 : 0
  }

  /// Compares two numbers that are not NaN. The result is less than, equal to or greater than 0.
  static func compare(_ first: Decimal, _ second: Decimal) -> Int {
    compare(DecimalCoding.encode(first), DecimalCoding.encode(second))
  }

  /// Compares two numbers, of which the first is not NaN. The result is less than, equal to or greater than
  /// 0.
  static func compare(_ first: Decimal, _ second: Int128) -> Int {
    compare(DecimalCoding.encode(first), encode(second))
  }

  private static func compare(_ first: [UInt8], _ second: [UInt8]) -> Int {
    first.withUnsafeBytes { first in second.withUnsafeBytes { first.compare($0) } }
  }

  /// Encodes an integer in the same bytes as a decimal number.
  static func encode(_ value: Int128) -> [UInt8] {
    if value == 0 { return [DecimalCoding.zero] }
    let digits = "\(value.magnitude)".utf8.map { $0 &- UInt8(ascii: "0") }
    var bytes: [UInt8] = []
    digits.withUnsafeBufferPointer {
      DecimalCoding.append($0, exponent: 0, isNegative: value < 0, to: &bytes)
    }
    return bytes
  }

  /// Returns the decimal number as an integer, or `nil` if it is not a 64-bit integer.
  static func integer(_ value: Decimal) -> Int64? {
    if value.isNaN { return nil }
    // Converts through text, because `NSDecimalNumber` uses a double for some numbers.
    var value = value
    var whole = Decimal()
    NSDecimalRound(&whole, &value, 0, .plain)
    guard let integer = Int64("\(whole)") else { return nil }
    return compare(value, Int128(integer)) == 0 ? integer : nil
  }

  /// Returns the double that equals a decimal number exactly, or `nil` if there is no such double.
  static func double(_ value: Decimal) -> Double? {
    let double = nearest(value)
    return compare(value, double) == 0 ? double : nil
  }

  /// Returns the double nearest to a decimal number.
  static func nearest(_ value: Decimal) -> Double {
    // Converts through text, because `NSDecimalNumber` rounds some numbers twice.
    Double("\(value)") ?? .nan
  }

  /// Returns the greatest double that is not above a decimal number, and whether both are equal. For NaN it
  /// returns NaN.
  static func doubleBelow(_ value: Decimal) -> (double: Double, isEqual: Bool) {
    if value.isNaN { return (.nan, true) }
    if value.isZero { return (0, true) }
    var near = nearest(value)
    while let order = compare(value, near), order < 0 { near = near.nextDown }
    while let order = compare(value, near.nextUp), order >= 0 { near = near.nextUp }
    // Minus zero is the same number as zero.
    return (near == 0 ? 0 : near, compare(value, near) == 0)
  }

  /// Returns the decimal number that equals a double exactly, or `nil` if there is no such number.
  static func decimal(_ value: Double) -> Decimal? {
    guard value.isFinite else { return nil }
    let decimal = Decimal(value)
    return compare(decimal, value) == 0 ? decimal : nil
  }

  /// Returns the decimal with the digits of a double's description: 19.99 for the double nearest to 19.99.
  /// Returns `nil` if `Decimal` cannot represent these digits.
  static func written(_ value: Double) -> Decimal? { DecimalText("\(value)")?.decimal }

  /// Compares two numbers. The result is less than, equal to or greater than 0, or `nil` if one of them is
  /// NaN.
  static func compare(_ first: Decimal, _ second: Double) -> Int? {
    if first.isNaN || second.isNaN { return nil }
    if second.isInfinite { return second < 0 ? 1 : -1 }
    let firstSign = first.isZero ? 0 : first.sign == .minus ? -1 : 1
    let secondSign = second == 0 ? 0 : second < 0 ? -1 : 1
    if firstSign != secondSign || firstSign == 0 { return firstSign - secondSign }
    // Compares mantissa * 10^exponent with significand * 2^power, after multiplying both sides until they are
    // integers.
    var decimal = WideInteger(digits: first.significand.description)
    let isSubnormal = second.exponentBitPattern == 0
    let power = isSubnormal ? -1074 : Int(second.exponentBitPattern) - 1075
    var double = WideInteger(second.significandBitPattern | (isSubnormal ? 0 : 1 << 52))
    if first.exponent >= 0 { decimal.multiply(by: 10, times: first.exponent) }
    if first.exponent < 0 { double.multiply(by: 10, times: -first.exponent) }
    if power >= 0 { double.multiply(by: 2, times: power) }
    if power < 0 { decimal.multiply(by: 2, times: -power) }
    return decimal.compare(double) * firstSign
  }
}

/// A non-negative integer of any size. The lowest word comes first.
private struct WideInteger {
  private var words: [UInt32] = []

  init(_ value: UInt64) {
    words = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
  }

  init(digits: String) {
    for digit in digits.utf8 where digit &- UInt8(ascii: "0") < 10 {
      multiply(by: 10, adding: UInt32(digit &- UInt8(ascii: "0")))
    }
  }

  mutating func multiply(by factor: UInt32, times: Int) {
    for _ in 0..<times { multiply(by: factor, adding: 0) }
  }

  private mutating func multiply(by factor: UInt32, adding addend: UInt32) {
    var carry = UInt64(addend)
    for index in words.indices {
      carry += UInt64(words[index]) * UInt64(factor)
      words[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry > 0 { words.append(UInt32(truncatingIfNeeded: carry)) }
  }

  func compare(_ other: WideInteger) -> Int {
    for index in stride(from: max(words.count, other.words.count) - 1, through: 0, by: -1) {
      let first = index < words.count ? words[index] : 0
      let second = index < other.words.count ? other.words[index] : 0
      if first != second { return first < second ? -1 : 1 }
    }
    return 0
  }
}
