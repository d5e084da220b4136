import Foundation

extension QueryParser {
  /// A value that is written as a function: `uuid('…')`.
  mutating func literalFunction(_ name: String, at start: Int) throws -> QuerySyntax {
    try advance()
    // The lexer stands behind the parenthesis, and takes what is not in quotes as it is.
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
      guard let given = try literal().text else { throw unexpected("a text in quotes") }
      text = given
    }
    guard token.isSymbol(")") else { throw unexpected("')'") }
    guard let value = Self.value(of: text, name, encoding: encoding) else {
      throw source.error(
        "The value cannot be read.",
        at: start,
        found: "'\(text.prefix(60))'",
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

  /// A value by itself: a text, a number or an argument.
  mutating func literal() throws -> QueryValue {
    let start = token.start
    switch try expression(.unary) {
    case .value(let value): return value
    case .untyped(let text, _): return .string(text)
    default:
      throw source.error(
        "The text of the query does not follow the grammar.",
        at: start,
        expected: "a value"
      )
    }
  }

  // MARK: Arguments

  func argument(_ index: Int, at start: Int) throws -> QueryArgument {
    guard arguments.indices.contains(index) else {
      throw source.error(
        .malformedQuery,
        "The text asks for an argument that was not given.",
        at: start,
        found: "argument \(index)",
        expected: "\(index + 1) arguments or more; \(arguments.count) were given"
      )
    }
    return arguments[index]
  }

  /// `%@` in turn and `$0` by number do not go together: which is which would be a guess.
  func checkOneKind(isNumbered: Bool) throws {
    guard isNumbered ? usage.inTurn > 0 : !usage.numbered.isEmpty else { return }
    throw source.error(
      "Arguments are either in turn (%@, %K) or by number ($0), not both.",
      at: token.start,
      found: token.description(in: source)
    )
  }

  /// Every argument has to be used: one too many is a mistake in the text or in the call.
  func checkArguments() throws {
    let unused =
      usage.numbered.isEmpty
      ? Array(arguments.indices.dropFirst(usage.inTurn))
      : arguments.indices.filter { !usage.numbered.contains($0) }
    guard let first = unused.first else { return }
    throw source.error(
      "There are more arguments than the text asks for.",
      at: source.bytes.count,
      found: "\(arguments.count) arguments",
      expected: "\(arguments.count - unused.count); argument \(first) is not used"
    )
  }

  func syntax(of argument: QueryArgument, at start: Int) throws -> QuerySyntax {
    switch argument {
    case .value(let value): .value(value)
    case .untyped(let text): .untyped(text, at: start)
    case .list(let list): .list(try list.map { try syntax(of: $0, at: start) }, at: start)
    }
  }
}

extension QueryArgument {
  /// The text, if it is one.
  var text: String? {
    switch self {
    case .value(let value): value.text
    case .untyped(let text): text
    case .list: nil
    }
  }
}

extension QueryValue {
  /// The text, if it is one.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
