import Foundation

/// Dates as text that preserves every bit.
///
/// The form is ISO 8601 in UTC with as many digits of the second as the date needs:
/// `2024-02-29T12:30:00.125Z`. Some dates have no such form: dates before the year 0 or after 9999, NaN, and
/// dates that would need more than 15 digits of the second. They are written as seconds since the beginning
/// of 2001: `@-1e-20`.
package enum DateText {
  /// The range of seconds since 2001 whose years have four digits.
  private static let range = -63_145_526_400.0..<252_423_993_600.0

  package static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    guard range.contains(seconds) else { return "@" + FloatText.text(seconds) }
    let whole = seconds.rounded(.down)
    guard let digits = fraction(seconds - whole, of: seconds, whole: whole) else {
      return "@" + FloatText.text(seconds)
    }
    return UTCTime(seconds: Int(whole)).text + digits + "Z"
  }

  /// Returns the date with three digits of the second, for logs and file names: `2024-02-29T12:30:00.125Z`.
  package static func stamp(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    // No clock returns such a date.
    guard range.contains(seconds) else { return text(date) }
    let whole = seconds.rounded(.down)
    let milliseconds = Int(((seconds - whole) * 1000).rounded(.down))
    return UTCTime(seconds: Int(whole)).text + "." + UTCTime.digits(milliseconds, 3) + "Z"
  }

  /// Returns the date of a text, or `nil` for any other text.
  package static func date(_ text: String) -> Date? {
    guard text.hasPrefix("@") else { return ISO8601.date(text) }
    let number = String(text.dropFirst())
    guard let seconds = FloatText.double(named: number) ?? Double(number) else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Returns the digits of the second's fraction with the decimal point: the fewest groups of three digits
  /// that preserve the date. Returns `nil` if there is no such text.
  private static func fraction(_ part: Double, of seconds: Double, whole: Double) -> String? {
    if part == 0 { return seconds == 0 && seconds.sign == .minus ? nil : "" }
    var scale = 1.0
    for places in stride(from: 3, through: 15, by: 3) {
      scale *= 1000
      let count = (part * scale).rounded()
      // The quotient of two numbers below 2^53 is the double nearest to the decimal, which is what a reader
      // computes.
      if count < scale, whole + count / scale == seconds { return "." + UTCTime.digits(Int(count), places) }
    }
    return nil
  }
}
