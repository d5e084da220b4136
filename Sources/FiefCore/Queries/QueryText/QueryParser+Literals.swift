import Foundation

extension QueryParser {
  /// Parses a value that is written as a function: `uuid('…')`.
  mutating func literalFunction(_ name: String, at start: Int) throws -> QuerySyntax {
    try advance()
    // The lexer is past the parenthesis and can read text that is not quoted.
    guard token.isSymbol("(") else { throw unexpected("'('") }
    var encoding: String?
    var raw: String?
    var lookahead = lexer
    lookahead.skipSpace()
    let first = (try? peek())?.kind
    if lookahead.byte() == UInt8(ascii: "'") || lookahead.byte() == UInt8(ascii: "\"") {
      try advance()
    } else if case .word(let word) = first, name == "DATA", ["BASE64", "HEX"].contains(word.uppercased()) {
      encoding = word.uppercased()
      try advance()
      try advance()
    } else {
      switch first {
      case .nextArgument, .argument: try advance()
      default:
        raw = lexer.rawArgument()
        try advance()
      }
    }
    let text: String
    if let raw {
      text = raw
    } else {
      guard let given = try literal().text else { throw unexpected("a quoted string") }
      text = given
    }
    guard token.isSymbol(")") else { throw unexpected("')'") }
    guard let value = Self.value(of: text, name, encoding: encoding) else {
      throw source.error(
        "The value cannot be read.",
        at: start,
        found: HiddenValue.text(
          "'\(text.prefix(60))'",
          summary: "a string of \(HiddenValue.length(of: text))"
        ),
        expected: Self.expectation(of: name)
      )
    }
    try advance()
    return .value(value)
  }

  private static func value(of text: String, _ name: String, encoding: String?) -> QueryValue? {
    switch name {
    case "UUID": return UUID(uuidString: text).map { .uuid($0) }
    case "OID", "OBJECTID": return ObjectId(text).map { .objectId($0) }
    case "DATE": return DateText.date(text).map { .date($0.timeIntervalSinceReferenceDate) }
    case "DECIMAL": return decimal(text).map { .decimal($0) }
    case "DOUBLE": return (FloatText.double(named: text) ?? Double(text)).map { .double($0) }
    default: break
    }
    switch encoding {
    case "BASE64": return Data(base64Encoded: text).map { .data([UInt8]($0)) }
    case "HEX": return hexadecimal(text).map { .data($0) }
    default:
      return name == "B64" ? Data(base64Encoded: text).map { .data([UInt8]($0)) } : .data(Array(text.utf8))
    }
  }

  private static func hexadecimal(_ text: String) -> [UInt8]? {
    let digits = text.map { $0.hexDigitValue }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }

  private static func expectation(of name: String) -> String {
    switch name {
    case "UUID": "a UUID such as uuid('f1ef0000-0000-4000-8000-00000000000b')"
    case "OID", "OBJECTID": "24 hexadecimal digits"
    case "DATE": "a date such as date('2026-11-20T10:00:00Z') or date('2026-11-20')"
    case "DECIMAL": "a decimal number of at most 38 digits"
    case "DOUBLE": "a number, Infinity, -Infinity or NaN"
    default: "data(base64 'AQID'), data(hex '010203') or data('text')"
    }
  }

  /// Parses a literal: a text, a number or an argument.
  mutating func literal() throws -> QueryValue {
    let start = token.start
    switch try expression(.unary) {
    case .value(let value): return value
    case .longNumber(let number, _): return .double(number)
    case .untyped(let text, _): return .string(text)
    default:
      throw source.error(
        "The text of the query does not follow the grammar.",
        at: start,
        expected: "a value"
      )
    }
  }
}
