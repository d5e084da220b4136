import Foundation

/// Decimal numbers encoded as bytes that sort like the numbers and preserve them exactly.
///
/// A number is written as `0.d1d2d3... * 10^e`, where the first digit is not zero and there are no trailing
/// zeros. Equal numbers therefore have equal bytes, however they were computed:
/// - NaN: `02`, which sorts before all other numbers, as in `Decimal`
/// - zero: `80`
/// - above zero: `C0 + (e + 128) / 128`, `2 + (e + 128) % 128`, then the digits in pairs, each plus 2
/// - below zero: the same bytes inverted, then `FF`, so that the shorter number is the greater one
///
/// Bytes are compared lexicographically, and a prefix sorts first. A number has at most 23 bytes. No byte is
/// 0 or 1, which a key would have to escape. The order of numbers is determined by their sign, then by their
/// exponent, then by their digits from the first.
package enum DecimalCoding {
  static let notANumber: UInt8 = 0x02
  static let zero: UInt8 = 0x80
  static let positive: UInt8 = 0xC0
  static let exponentBias = 128
  /// An offset for exponents and digits, so that no byte is 0 or 1 in either sign.
  static let shift: UInt8 = 2
  static let terminator: UInt8 = 0xFF

  /// Returns the bytes of a number.
  package static func encode(_ value: Decimal) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  /// Appends the bytes of a number.
  package static func append(_ value: Decimal, to bytes: inout [UInt8]) {
    if value.isNaN { return bytes.append(notANumber) }
    let significand = value.significand
    if significand.isZero { return bytes.append(zero) }
    // Most significands fit in 64 bits. A wider one is truncated here, which the comparison below detects.
    let small = NSDecimalNumber(decimal: significand).uint64Value
    if Decimal(small) == significand {
      append(small, exponent: value.exponent, isNegative: value.sign == .minus, to: &bytes)
    } else {
      let digits = significand.description.utf8.map { $0 &- UInt8(ascii: "0") }
      digits.withUnsafeBufferPointer {
        append($0, exponent: value.exponent, isNegative: value.sign == .minus, to: &bytes)
      }
    }
  }

  private static func append(
    _ mantissa: UInt64,
    exponent: Int,
    isNegative: Bool,
    to bytes: inout [UInt8]
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var rest = mantissa
      var first = buffer.count
      while rest > 0 {
        first -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        // SAFETY: a UInt64 has at most 20 digits, so `first` stays in range. UInt8 needs no initialization.
        buffer[first] = UInt8(truncatingIfNeeded: digit)
        rest = quotient
      }
      let digits = UnsafeBufferPointer(rebasing: buffer[first...])
      append(digits, exponent: exponent, isNegative: isNegative, to: &bytes)
    }
  }

  /// - Parameter digits: at least one digit; the first is not zero. With the exponent, the digits end between
  ///   10^-128 and 10^255.
  static func append(
    _ digits: UnsafeBufferPointer<UInt8>,
    exponent: Int,
    isNegative: Bool,
    to bytes: inout [UInt8]
  ) {
    var count = digits.count
    let biased = UInt16(truncatingIfNeeded: count + exponent + exponentBias)
    while count > 1, digits[count - 1] == 0 { count -= 1 }
    let mask: UInt8 = isNegative ? 0xFF : 0
    bytes.append((positive + UInt8(truncatingIfNeeded: biased / 128)) ^ mask)
    bytes.append((UInt8(truncatingIfNeeded: biased % 128) + shift) ^ mask)
    for index in stride(from: 0, to: count, by: 2) {
      let second = index + 1 < count ? digits[index + 1] : 0
      bytes.append((digits[index] * 10 + second + shift) ^ mask)
    }
    if isNegative { bytes.append(terminator) }
  }
}
