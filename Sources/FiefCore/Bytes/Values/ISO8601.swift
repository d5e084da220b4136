import Foundation

/// Parsing of ISO 8601 dates: `2024-02-29`, `2024-02-29T12:30:00Z`, `2024-02-29T12:30:00.125+01:00`.
///
/// A time requires an offset from UTC; without an offset it would depend on the time zone. A day without a
/// time means its beginning in UTC.
package enum ISO8601 {
  /// Returns the date, or `nil` for any other text and for days that do not exist.
  package static func date(_ text: String) -> Date? {
    var reader = Reader(rest: text.utf8[...])
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2)
    else { return nil }
    var (hour, minute, second, offset) = (0, 0, 0, 0)
    var fraction = 0.0
    if !reader.rest.isEmpty {
      guard reader.skip("T") || reader.skip("t") || reader.skip(" "),
        let hours = reader.number(2), reader.skip(":"), let minutes = reader.number(2)
      else { return nil }
      (hour, minute) = (hours, minutes)
      if reader.skip(":") {
        guard let seconds = reader.number(2) else { return nil }
        second = seconds
        if reader.skip(".") || reader.skip(",") {
          guard let part = reader.fraction() else { return nil }
          fraction = part
        }
      }
      guard let toTheEast = reader.offset(), reader.rest.isEmpty else { return nil }
      offset = toTheEast
    }
    guard
      let time = UTCTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    return Date(timeIntervalSinceReferenceDate: Double(time.seconds - offset) + fraction)
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

    /// Reads an offset and returns it in seconds east of UTC.
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
