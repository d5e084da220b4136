import Foundation

/// Dates as text that gives back every bit of them.
///
/// As ISO 8601 in UTC, with as many digits of the second as the date needs: `2024-02-29T12:30:00.125Z`. A
/// date that has no such form, before the year 0 or after 9999, not a number, or too close to a second for
/// its digits, is written as its seconds since the beginning of 2001: `@-1e-20`.
enum DateText {
  /// 2001-01-01 counted in days from 1970-01-01.
  private static let referenceDay = 11_323
  /// The seconds from 2001 to the first and the last second that four digits of a year can say.
  private static let range = -63_145_526_400.0..<252_423_993_600.0

  static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    guard range.contains(seconds) else { return "@" + FloatText.text(seconds) }
    let whole = seconds.rounded(.down)
    guard let digits = fraction(seconds - whole, of: seconds, whole: whole) else {
      return "@" + FloatText.text(seconds)
    }
    let total = Int(whole)
    var day = total / 86_400
    var second = total % 86_400
    if second < 0 {
      second += 86_400
      day -= 1
    }
    let (year, month, ofMonth) = civil(day + referenceDay)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(ofMonth, 2))"
      + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))\(digits)Z"
  }

  /// The date of a text; nil for any other text.
  static func date(_ text: String) -> Date? {
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
      if count < scale, whole + count / scale == seconds { return "." + padded(Int(count), places) }
    }
    return nil
  }

  /// The civil date of a day counted from 1970-01-01: years begin in March here, as in `ISO8601`.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func padded(_ value: Int, _ count: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}
