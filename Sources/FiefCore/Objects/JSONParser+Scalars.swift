/// Parsing texts and numbers.
extension JSONParser {
  mutating func string() throws -> String {
    let quote = position
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let text = try text(bytes[start..<position])
        position += 1
        return text
      case UInt8(ascii: "\\"):
        return try stringWithEscapes(from: start)
      case 0..<0x20:
        throw malformed("A control character in a string is not escaped.")
      default: position += 1
      }
    }
    position = quote
    throw malformed("A string has no closing quote.")
  }

  private func text(_ slice: Slice<UnsafeRawBufferPointer>) throws -> String {
    let units = UnsafeRawBufferPointer(rebasing: slice)
    // Most texts are ASCII, for which this check is faster than validation.
    if units.allSatisfy({ $0 < 0x80 }) { return String(decoding: units, as: UTF8.self) }
    guard let text = String(validating: units, as: UTF8.self) else {
      throw malformed("A string is not valid UTF-8.")
    }
    return text
  }

  private mutating func stringWithEscapes(from start: Int) throws -> String {
    var units = Array(bytes[start..<position])
    while let unit = peek() {
      position += 1
      switch unit {
      case UInt8(ascii: "\""):
        guard let text = String(validating: units, as: UTF8.self) else {
          throw malformed("A string is not valid UTF-8.")
        }
        return text
      case UInt8(ascii: "\\"): try appendEscape(to: &units)
      case 0..<0x20:
        position -= 1
        throw malformed("A control character in a string is not escaped.")
      default: units.append(unit)
      }
    }
    throw malformed("A string has no closing quote.")
  }

  mutating func appendEscape(to units: inout [UInt8]) throws {
    guard let escape = peek() else { throw malformed("A string has no closing quote.") }
    position += 1
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(escape)
    case UInt8(ascii: "b"): units.append(0x08)
    case UInt8(ascii: "f"): units.append(0x0C)
    case UInt8(ascii: "n"): units.append(0x0A)
    case UInt8(ascii: "r"): units.append(0x0D)
    case UInt8(ascii: "t"): units.append(0x09)
    case UInt8(ascii: "u"): units.append(contentsOf: String(Character(try escapedScalar())).utf8)
    default:
      position -= 1
      throw malformed("The escape sequence is unknown.")
    }
  }

  private mutating func escapedScalar() throws -> Unicode.Scalar {
    let first = try hexUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), peek() == UInt8(ascii: "\\") {
      position += 1
      if peek() == UInt8(ascii: "u") {
        position += 1
        let second = try hexUnit()
        if UTF16.isTrailSurrogate(second),
          let scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
        {
          return scalar
        }
      }
    }
    throw malformed("Half of a surrogate pair is missing.")
  }

  private mutating func hexUnit() throws -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = peek().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw malformed("Expected four hexadecimal digits.")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  mutating func number() throws -> Any {
    let start = position
    let isNegative = peek() == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    var magnitude: UInt64 = 0
    var fits = true
    while let digit = digit() {
      let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, exceeds) = product.addingReportingOverflow(UInt64(digit))
      fits = fits && !overflows && !exceeds
      magnitude = sum
    }
    let count = position - firstDigit
    guard count > 0, count == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
      position = start
      throw malformed(count == 0 ? "A number has no digits." : "A number has a leading zero.")
    }
    var isInteger = true
    if peek() == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits()
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    // Minus zero is kept as text, because only a floating-point property can represent it.
    if isInteger, fits, !(isNegative && magnitude == 0) {
      if !isNegative, let value = Int(exactly: magnitude) { return value }
      if isNegative, magnitude <= Int.min.magnitude { return Int(truncatingIfNeeded: 0 &- magnitude) }
    }
    return JSONNumber(text: try text(bytes[start..<position]))
  }

  private mutating func digit() -> UInt8? {
    guard let unit = peek(), unit >= UInt8(ascii: "0"), unit <= UInt8(ascii: "9") else { return nil }
    position += 1
    return unit - UInt8(ascii: "0")
  }

  private mutating func digits() throws {
    guard digit() != nil else { throw malformed("A number is missing a digit.") }
    while digit() != nil {}
  }
}
