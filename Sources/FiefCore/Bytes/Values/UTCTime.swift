/// A second of the proleptic Gregorian calendar in UTC. This is the only code in the library that knows the
/// lengths of months and years.
struct UTCTime {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int

  private static let secondsOfDay = 86_400
  /// The number of days from 1970-01-01 to 2001-01-01, Foundation's reference date.
  private static let referenceDay = 11_323
  /// The number of days from 0000-03-01 to 1970-01-01. Years begin in March here, so that the leap day is the
  /// last day of its year.
  private static let firstDay = 719_468
  private static let daysOfEra = 146_097

  /// - Parameter seconds: the seconds since the beginning of 2001.
  init(seconds: Int) {
    var days = seconds / Self.secondsOfDay
    var rest = seconds % Self.secondsOfDay
    if rest < 0 {
      rest += Self.secondsOfDay
      days -= 1
    }
    days += Self.referenceDay + Self.firstDay
    let era = (days >= 0 ? days : days - (Self.daysOfEra - 1)) / Self.daysOfEra
    let dayOfEra = days - era * Self.daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
  }

  /// Returns `nil` for a date or a time that does not exist. A minute may have a leap second.
  init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), day >= 1, day <= lengths[month - 1], (0..<24).contains(hour),
      (0..<60).contains(minute), (0...60).contains(second)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// The seconds since the beginning of 2001.
  var seconds: Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * Self.daysOfEra + dayOfEra - Self.firstDay - Self.referenceDay
    return days * Self.secondsOfDay + hour * 3600 + minute * 60 + second
  }

  /// The date and the time in ISO 8601 without a time zone: `2024-02-29T12:30:00`.
  var text: String {
    "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
      + "T\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))"
  }

  /// Returns a number with leading zeros.
  static func digits(_ value: Int, _ count: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}
