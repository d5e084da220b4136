import Foundation

/// Dates as ISO 8601 writes them: `2024-02-29`, `2024-02-29T12:30:00Z`, `2024-02-29T12:30:00.125+01:00`.
///
/// A time needs its offset from UTC, since without one it is another moment in each time zone; a day alone is
/// its beginning in UTC.
enum ISO8601 {
  /// The moment; nil for any other text and for days that do not exist.
  static func date(_ text: String) -> Date? {
    var reader = Reader(rest: text.utf8[...])
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), let days = days(year, month, day)
    else { return nil }
    var seconds = 0
    var fraction = 0.0
    if !reader.rest.isEmpty {
      guard reader.skip("T") || reader.skip("t") || reader.skip(" "),
        let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
        hour < 24, minute < 60
      else { return nil }
      seconds = hour * 3600 + minute * 60
      if reader.skip(":") {
        guard let second = reader.number(2), second <= 60 else { return nil }
        seconds += second
        if reader.skip(".") || reader.skip(",") {
          guard let part = reader.fraction() else { return nil }
          fraction = part
        }
      }
      guard let offset = reader.offset(), reader.rest.isEmpty else { return nil }
      seconds -= offset
    }
    return Date(timeIntervalSinceReferenceDate: Double((days - referenceDay) * 86_400 + seconds) + fraction)
  }

  /// Days from 1970-01-01 to 2001-01-01, where Foundation counts from.
  private static let referenceDay = 11_323

  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), day >= 1, day <= lengths[month - 1] else { return nil }
    // Years begin in March here, so that the leap day is the last of its year.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private struct Reader {
    var rest: Substring.UTF8View

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func digit() -> Int? {
      guard let unit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) else { return nil }
      rest.removeFirst()
      return Int(unit - UInt8(ascii: "0"))
    }

    mutating func number(_ count: Int) -> Int? {
      var value = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    mutating func fraction() -> Double? {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits.isEmpty ? nil : Double("0." + String(Substring(digits)))
    }

    /// Seconds to the east of UTC.
    mutating func offset() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let sign = skip("+") ? 1 : (skip("-") ? -1 : 0)
      guard sign != 0, let hours = number(2), hours < 24 else { return nil }
      if rest.isEmpty { return sign * hours * 3600 }
      _ = skip(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
