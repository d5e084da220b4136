import Foundation

extension DecimalCoding {
  /// Decodes a number, or returns `nil` if the bytes are not exactly the encoding of a number.
  package static func decode(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
    guard let kind = bytes.first else { return nil }
    if bytes.count == 1 {
      return kind == notANumber ? .nan : (kind == zero ? .zero : nil)
    }
    let isNegative = kind < zero
    let mask: UInt8 = isNegative ? 0xFF : 0
    guard !isNegative || bytes[bytes.count - 1] == terminator else { return nil }
    let end = isNegative ? bytes.count - 1 : bytes.count
    let high = kind ^ mask
    guard end > 2, (positive...(positive + 2)).contains(high) else { return nil }
    let low = bytes[1] ^ mask
    guard (shift..<(shift + 128)).contains(low) else { return nil }

    var mantissa: UInt128 = 0
    var count = 0
    for index in 2..<end {
      let pair = (bytes[index] ^ mask) &- shift
      // The first pair has no leading zero. The last pair is not zero, because trailing zeros are not
      // written.
      guard pair < 100, index > 2 || pair >= 10, index < end - 1 || pair > 0 else { return nil }
      let isLastDigitAlone = index == end - 1 && pair % 10 == 0
      guard let wider = appended(isLastDigitAlone ? pair / 10 : pair, isLastDigitAlone ? 10 : 100, mantissa)
      else { return nil }
      mantissa = wider
      count += isLastDigitAlone ? 1 : 2
    }
    let exponent = Int(high - positive) * 128 + Int(low - shift) - exponentBias - count
    return number(mantissa, exponent: exponent, isNegative: isNegative)
  }

  private static func appended(_ digits: UInt8, _ radix: UInt128, _ mantissa: UInt128) -> UInt128? {
    let (product, overflows) = mantissa.multipliedReportingOverflow(by: radix)
    let (sum, exceeds) = product.addingReportingOverflow(UInt128(digits))
    return overflows || exceeds ? nil : sum
  }

  /// - Parameter mantissa: not zero, and without trailing zeros.
  private static func number(_ mantissa: UInt128, exponent: Int, isNegative: Bool) -> Decimal? {
    guard exponent >= -128 else { return nil }
    let sign: FloatingPointSign = isNegative ? .minus : .plus
    guard exponent > 127 else {
      return Decimal(sign: sign, exponent: exponent, significand: integer(mantissa))
    }
    // Such a number only fits if its mantissa has trailing zeros. `Decimal` strips trailing zeros from a
    // significand and then finds the exponent too large, but it does not strip them from a sum.
    var wide = mantissa
    for _ in 127..<exponent {
      guard let wider = appended(0, 10, wide) else { return nil }
      wide = wider
    }
    return Decimal(sign: sign, exponent: 127, significand: integer(wide - 1))
      + Decimal(sign: sign, exponent: 127, significand: 1)
  }

  /// Returns an integer as a decimal. The result is exact, because every step fits the 128 bits of a
  /// `Decimal`'s mantissa.
  private static func integer(_ value: UInt128) -> Decimal {
    if let small = UInt64(exactly: value) { return Decimal(small) }
    let (upper, low) = value.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
    let (high, middle) = upper.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
    // Each part is below 10^19, so it fits 64 bits.
    func scaled(_ part: UInt128, _ exponent: Int) -> Decimal {
      Decimal(sign: .plus, exponent: exponent, significand: Decimal(UInt64(truncatingIfNeeded: part)))
    }
    return scaled(high, 38) + scaled(middle, 19) + scaled(low, 0)
  }
}
