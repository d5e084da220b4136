import Foundation

extension QueryLexer {
  /// Reads a quoted text, which may contain escapes.
  mutating func string(quote: UInt8) throws -> String {
    let start = position
    position += 1
    var result: [UInt8] = []
    while let next = byte() {
      position += 1
      switch next {
      case quote: return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result += Array(String(try escape()).utf8)
      default: result.append(next)
      }
    }
    throw source.error(
      "The quoted string has no closing quote.",
      at: start,
      found: "the end of the text",
      expected: String(UnicodeScalar(quote))
    )
  }

  private mutating func escape() throws -> Unicode.Scalar {
    let start = position - 1
    let next = byte()
    position += 1
    switch next {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "0"): return "\0"
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "/"):
      if let next { return Unicode.Scalar(next) }
    case UInt8(ascii: "*"), UInt8(ascii: "?"):
      // In the pattern of LIKE, a backslash is written twice. A single backslash has no other meaning.
      break
    case UInt8(ascii: "u"):
      if byte() == UInt8(ascii: "{") {
        position += 1
        let digits = hexadecimal(most: 8)
        if byte() == UInt8(ascii: "}"), let scalar = digits.flatMap({ Unicode.Scalar($0) }) {
          position += 1
          return scalar
        }
      } else if let high = hexadecimal(exactly: 4) {
        if let scalar = Unicode.Scalar(high) { return scalar }
        if (0xD800..<0xDC00).contains(high), byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
          position += 2
          if let low = hexadecimal(exactly: 4), (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
          {
            return scalar
          }
        }
      }
    default: break
    }
    throw source.error(
      "The escape sequence in the string is unknown.",
      at: start,
      expected: #"one of \\ \' \" \n \r \t \0 \u{1F600} \u00e9"#
    )
  }

  private mutating func hexadecimal(exactly count: Int) -> UInt32? {
    let start = position
    let value = hexadecimal(most: count)
    return position - start == count ? value : nil
  }

  private mutating func hexadecimal(most: Int) -> UInt32? {
    var value: UInt32 = 0
    var count = 0
    while count < most, let next = byte(), let digit = Character(UnicodeScalar(next)).hexDigitValue {
      value = value << 4 | UInt32(digit)
      position += 1
      count += 1
    }
    return count > 0 ? value : nil
  }

  /// Reads a number, or a date in Realm's notation.
  mutating func number() throws -> QueryToken.Kind {
    if let date = try date() { return .value(date) }
    let start = position
    while isDigit() { position += 1 }
    if byte() == UInt8(ascii: "."), isDigit(1) {
      position += 1
      while isDigit() { position += 1 }
    }
    if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
      let sign = byte(1) == UInt8(ascii: "-") || byte(1) == UInt8(ascii: "+") ? 1 : 0
      if isDigit(1 + sign) {
        position += 1 + sign
        while isDigit() { position += 1 }
      }
    }
    if byte() == UInt8(ascii: "m") { position += 1 }
    let end = position
    if word() != nil {
      position = end
      throw unexpected("an operator after the number")
    }
    return .number(String(decoding: source.bytes[start..<end], as: UTF8.self))
  }

  /// Reads a date such as `2026-11-20@10:00:00:123456789` in UTC, in which the nanoseconds are optional.
  /// Returns `nil` if there is no date.
  private mutating func date() throws -> QueryValue? {
    var length = 0
    while let next = byte(length), isDigit(length) || (next == UInt8(ascii: "-") && length > 0) {
      length += 1
    }
    guard length >= 8, byte(length) == UInt8(ascii: "@") else { return nil }
    let start = position
    let day = String(decoding: source.bytes[position..<position + length], as: UTF8.self)
    position += length + 1
    let timeStart = position
    while isDigit() || byte() == UInt8(ascii: ":") { position += 1 }
    var time = String(decoding: source.bytes[timeStart..<position], as: UTF8.self)
      .split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    let nanoseconds = time.count == 4 ? time.removeLast() : "0"
    let text = day + "T" + time.joined(separator: ":") + "Z"
    guard time.count == 3, let date = ISO8601.date(text), nanoseconds.utf8.count <= 9,
      let part = Double(nanoseconds)
    else {
      throw source.error(
        "The date is invalid.",
        at: start,
        expected: "a date in UTC such as 2026-11-20@10:00:00, optionally with nanoseconds after another colon"
      )
    }
    return .date(date.timeIntervalSinceReferenceDate + part / 1e9)
  }

  /// Reads the text up to a closing parenthesis, for values that Realm writes without quotes: `uuid(f1ef…)`.
  mutating func rawArgument() -> String {
    let start = position
    while let next = byte(), next != UInt8(ascii: ")"), next != UInt8(ascii: "\n") { position += 1 }
    return String(decoding: source.bytes[start..<position], as: UTF8.self)
      .trimmingCharacters(in: .whitespaces)
  }
}
