import Fief
package import Foundation

/// Names that increase strictly in one process: the time in milliseconds, and random characters.
package enum AutoIdentifier {
  /// The number of characters for the time: 48 bits.
  static let timeCount = 8
  /// The number of random characters: 72 bits.
  static let randomCount = 12

  /// The digits of the last name, in base 64.
  private static let last = Lock<[UInt8]>([])

  /// Returns the next name of the process.
  static func next(with options: StoreOptions) -> String {
    let time = options.clock()
    let bytes = options.randomBytes(randomCount * 6 / 8)
    return last.withLock { next(at: time, random: bytes, after: &$0) }
  }

  /// Returns the next name after another one. In the same millisecond, or after the clock went back, it is
  /// the last name plus 1.
  ///
  /// - Parameters:
  ///   - bytes: 72 random bits. Missing bytes count as 0.
  ///   - last: the digits of the last name; empty before the first name.
  package static func next(at time: Date, random bytes: [UInt8], after last: inout [UInt8]) -> String {
    let milliseconds = (time.timeIntervalSince1970 * 1000).rounded(.down)
    let number = UInt64(max(0, min(milliseconds.isNaN ? 0 : milliseconds, Double(1 << 48 - 1))))
    let digits = (0..<timeCount).map { UInt8(truncatingIfNeeded: number >> UInt64(42 - 6 * $0) & 63) }
    if last.isEmpty || last.prefix(timeCount).lexicographicallyPrecedes(digits) {
      last = digits + (0..<randomCount).map { digit(at: $0 * 6, of: bytes) }
    } else {
      increment(&last)
    }
    return String(decoding: last.map { IntegerName.alphabet[Int($0)] }, as: UTF8.self)
  }

  /// Returns the six bits at an offset.
  private static func digit(at bit: Int, of bytes: [UInt8]) -> UInt8 {
    let pair = (bit / 8...bit / 8 + 1).reduce(UInt16(0)) { pair, index in
      pair << 8 | UInt16(index < bytes.count ? bytes[index] : 0)
    }
    return UInt8(truncatingIfNeeded: pair >> UInt16(10 - bit % 8)) & 63
  }

  private static func increment(_ digits: inout [UInt8]) {
    for index in digits.indices.reversed() {
      digits[index] = (digits[index] + 1) & 63
      if digits[index] != 0 { return }
    }
  }
}
