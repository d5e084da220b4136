/// A part of an expression.
enum RuleToken: Equatable {
  case number(RuleNumber)
  case text(String)
  /// A name, or a `$name` with its dollar sign.
  case name(String)
  case symbol(Symbol)
  case end

  enum Symbol: String, CaseIterable {
    case equal = "==="
    case notEqual = "!=="
    case looselyEqual = "=="
    case looselyNotEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case less = "<"
    case greater = ">"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case remainder = "%"
    case not = "!"
    case question = "?"
    case colon = ":"
    case opening = "("
    case closing = ")"
    case openingList = "["
    case closingList = "]"
    case comma = ","
    case dot = "."
  }
}

/// A number in an expression.
enum RuleNumber: Equatable {
  case int(Int64)
  case double(Double)
}

/// Divides an expression into tokens.
struct RuleLexer {
  private let bytes: [UInt8]
  /// The offset after the last token.
  private(set) var position = 0
  /// The offset of the last token.
  private(set) var start = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  private func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func next() throws(RuleSyntaxError) -> RuleToken {
    while let space = byte(position), space == 0x20 || (0x09...0x0D).contains(space) { position += 1 }
    start = position
    guard let first = byte(position) else { return .end }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .text(try string(quote: first))
    case UInt8(ascii: "$"):
      position += 1
      skipName()
      if position == start + 1 { throw RuleSyntaxError("A name must follow '$'.", at: start) }
      return .name(text(start..<position))
    case _ where Self.isLetter(first):
      skipName()
      return .name(text(start..<position))
    default:
      // Longer symbols come first.
      guard
        let symbol = RuleToken.Symbol.allCases.first(where: { bytes[start...].starts(with: $0.rawValue.utf8) }
        )
      else { throw RuleSyntaxError("A character is unexpected.", at: start) }
      position += symbol.rawValue.utf8.count
      return .symbol(symbol)
    }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")) || byte == UInt8(ascii: "_")
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private mutating func skipName() {
    while let byte = byte(position), Self.isLetter(byte) || Self.isDigit(byte) { position += 1 }
  }

  private mutating func skipDigits() -> Int {
    let first = position
    while let byte = byte(position), Self.isDigit(byte) { position += 1 }
    return position - first
  }

  private mutating func number() throws(RuleSyntaxError) -> RuleNumber {
    var isValid = true
    let count = skipDigits()
    if count > 1, bytes[start] == UInt8(ascii: "0") { isValid = false }
    var isInteger = true
    if byte(position) == UInt8(ascii: ".") {
      position += 1
      isInteger = false
      if skipDigits() == 0 { isValid = false }
    }
    if let byte = byte(position), byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      isInteger = false
      if self.byte(position) == UInt8(ascii: "-") || self.byte(position) == UInt8(ascii: "+") {
        position += 1
      }
      if skipDigits() == 0 { isValid = false }
    }
    if let byte = byte(position), Self.isLetter(byte) || byte == UInt8(ascii: "$") { isValid = false }
    let text = text(start..<position)
    if isValid, isInteger, let value = Int64(text) { return .int(value) }
    guard isValid, let value = Double(text), value.isFinite else {
      throw RuleSyntaxError("A number is malformed or too large.", at: start)
    }
    return .double(value)
  }

  private mutating func string(quote: UInt8) throws(RuleSyntaxError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = byte(position) {
      switch byte {
      case quote:
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      case 0..<0x20: throw RuleSyntaxError("A control character in a text is not escaped.", at: position)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw RuleSyntaxError("A text has no closing quote.", at: start)
  }

  private mutating func escape() throws(RuleSyntaxError) -> [UInt8] {
    let start = position
    position += 2
    switch byte(start + 1) {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"):
      let digits = bytes[position...].prefix(4)
      position += 4
      // Characters beyond U+FFFF can be written without an escape.
      if digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(value)
      {
        return Array(String(Character(scalar)).utf8)
      }
    case let byte?
    where [UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(byte):
      return [byte]
    default: break
    }
    throw RuleSyntaxError("An escape of a text is not supported.", at: start)
  }

  // MARK: Regular expressions

  /// Reads a regular expression after the slash that was the last token.
  ///
  /// - Returns: the expression, its offset, and the letters after it.
  mutating func pattern() throws(RuleSyntaxError) -> (pattern: String, offset: Int, flags: String) {
    let first = position
    var isInClass = false
    while let byte = byte(position), byte != UInt8(ascii: "/") || isInClass {
      if byte == UInt8(ascii: "\\") { position += 1 }
      if byte == UInt8(ascii: "[") { isInClass = true }
      if byte == UInt8(ascii: "]") { isInClass = false }
      position += 1
    }
    guard byte(position) != nil else { throw RuleSyntaxError("A regular expression has no end.", at: start) }
    let end = position
    position += 1
    skipName()
    return (text(first..<end), first, text((end + 1)..<position))
  }
}
