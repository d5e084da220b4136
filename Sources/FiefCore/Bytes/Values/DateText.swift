import Foundation

/// Dates as text that gives back every bit of them.
///
/// As ISO 8601 in UTC, with as many digits of the second as the date needs: `2024-02-29T12:30:00.125Z`. A
/// date that has no such form, before the year 0 or after 9999, not a number, or too close to a second for
/// its digits, is written as its seconds since the beginning of 2001: `@-1e-20`.
package enum DateText {
  /// The seconds from 2001 to the first and the last second that four digits of a year can say.
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

  /// The moment with three digits of the second, for people and for names: `2024-02-29T12:30:00.125Z`.
  package static func stamp(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    // No clock says anything else.
    guard range.contains(seconds) else { return text(date) }
    let whole = seconds.rounded(.down)
    let milliseconds = Int(((seconds - whole) * 1000).rounded(.down))
    return UTCTime(seconds: Int(whole)).text + "." + UTCTime.digits(milliseconds, 3) + "Z"
  }

  /// The date of a text; nil for any other text.
  package static func date(_ text: String) -> Date? {
    guard text.hasPrefix("@") else { return ISO8601.date(text) }
    let number = String(text.dropFirst())
    guard let seconds = FloatText.double(named: number) ?? Double(number) else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// The digits behind the second, with their point: the fewest groups of three that give the date back.
  private static func fraction(_ part: Double, of seconds: Double, whole: Double) -> String? {
    if part == 0 { return seconds == 0 && seconds.sign == .minus ? nil : "" }
    var scale = 1.0
    for places in stride(from: 3, through: 15, by: 3) {
      scale *= 1000
      let count = (part * scale).rounded()
      // A quotient of two numbers below 2^53 is the nearest double to the decimal, as a reader makes it.
      if count < scale, whole + count / scale == seconds { return "." + UTCTime.digits(Int(count), places) }
    }
    return nil
  }
}
