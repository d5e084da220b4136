import Fief
import Foundation

@testable import FiefCore

extension FuzzTarget {
  /// Values as texts: dates, decimals, floating-point numbers, identifiers and bytes are read back from what is written.
  static let texts = FuzzTarget(
    name: "texts",
    longest: 120,
    seeds: {
      [
        "2024-02-29T12:30:00.125+01:00", "2024-02-29", "-12.5e-3", "NaN(0x7ff8000000000001)", "Infinity",
        "507f1f77bcf86cd799439011", "AQID", "12345678901234567890.123456789",
      ].map { Array($0.utf8) }
    },
    run: { input, defect in
      let text = String(decoding: input, as: UTF8.self)
      try TextChecks.checkDate(text, defect)
      try TextChecks.checkDecimal(text)
      try TextChecks.checkNumber(text)
      if let bytes = Base64URL.decode(text) {
        try require(Base64URL.encode(bytes) == text, "base 64: \(text)")
      }
      if let id = try? ObjectId(string: text) {
        try require(id.stringValue == text.lowercased(), "object id: \(text)")
      }
      if input.count == 8 { try TextChecks.checkDate(of: input.leadingDouble) }
    }
  )
}

private enum TextChecks {
  static func checkDate(_ text: String, _ defect: PlantedDefect) throws {
    guard let date = DateText.date(text) else { return }
    // Seconds that are not written as a day are doubled.
    if defect.isPlanted, text.hasPrefix("@"), date.timeIntervalSinceReferenceDate > 0 {
      throw FuzzFinding("planted: \(text)")
    }
    try checkDate(of: date.timeIntervalSinceReferenceDate)
  }

  static func checkDate(of seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let text = DateText.text(date)
    let bits = DateText.date(text)?.timeIntervalSinceReferenceDate.bitPattern
    try require(bits == seconds.bitPattern, "\(seconds) is written as \(text)")
    _ = DateText.stamp(date)
  }

  static func checkDecimal(_ text: String) throws {
    guard let number = DecimalText(text) else { return }
    _ = number.integer
    guard let value = number.decimal else { return }
    let bytes = DecimalCoding.encode(value)
    let again = bytes.withUnsafeBytes { DecimalCoding.decode($0) }
    try require(again == value, "\(text) is \(value), then \(String(describing: again))")
    try require(DecimalText(value.description)?.decimal == value, "\(text) is \(value)")
    // Foundation rounds what it cannot hold, so that only short numbers are compared.
    if number.digits.count <= 38, abs(number.exponent) < 80, let other = Decimal(string: text) {
      try require(other == value, "\(text) is \(value), and for Foundation \(other)")
    }
  }

  static func checkNumber(_ text: String) throws {
    if let value = FloatText.double(named: text) {
      let again = FloatText.double(named: FloatText.text(value)) ?? Double(FloatText.text(value))
      try require(again?.bitPattern == value.bitPattern, "double: \(text)")
    }
    if let value = FloatText.float(named: text) {
      let again = FloatText.float(named: FloatText.text(value)) ?? Float(FloatText.text(value))
      try require(again?.bitPattern == value.bitPattern, "float: \(text)")
    }
    if let value = JSONParser.number(text) as? Int {
      try require(Int(text) == value, "integer: \(text)")
    }
  }
}
