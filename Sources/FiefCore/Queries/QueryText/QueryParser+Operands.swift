import Foundation

extension QueryParser {
  static let operandNames = "a property, a value, an argument, a function or '('"

  /// Parses an operand with its signs.
  mutating func prefixed() throws -> QuerySyntax {
    if token.isSymbol("-") {
      try advance()
      // The sign is part of the number, because the minimum integer has no positive counterpart.
      if case .number(let digits) = token.kind {
        let value = try numeric("-" + digits)
        try advance()
        return value
      }
      return .negative(try deeper { try $0.prefixed() })
    }
    if token.isSymbol("+") {
      try advance()
      return try deeper { try $0.prefixed() }
    }
    return try operand()
  }

  private mutating func operand() throws -> QuerySyntax {
    let start = token.start
    switch token.kind {
    case .number(let digits):
      let value = try numeric(digits)
      try advance()
      return value
    case .string(let text):
      try advance()
      return .value(.string(text))
    case .value(let value):
      try advance()
      return .value(value)
    case .argument(let index):
      try checkOneKind(isNumbered: true)
      usage.numbered.insert(index)
      let argument = try argument(index, at: start)
      try advance()
      return try syntax(of: argument, at: start)
    case .nextArgument:
      try checkOneKind(isNumbered: false)
      let argument = try argument(usage.inTurn, at: start)
      usage.inTurn += 1
      try advance()
      return try syntax(of: argument, at: start)
    case .nextFormatted(let format):
      try checkOneKind(isNumbered: false)
      let argument = try argument(usage.inTurn, as: format, at: start)
      usage.inTurn += 1
      try advance()
      return try syntax(of: argument, at: start)
    case .symbol("("):
      try advance()
      let inner = try expression(.or)
      try expect(")", "')' or an operator")
      return inner
    case .symbol("{"): return try list()
    case .word(let word):
      if let value = try keyword(word) { return value }
      if try peek().isSymbol("(") { return try function(word) }
      guard try isName(word.uppercased()) else { throw unexpected(Self.operandNames) }
      return try path(quantifier: nil)
    case .name, .nextName, .variable: return try path(quantifier: nil)
    case .attribute("links"): return try path(quantifier: nil)
    case .attribute, .symbol, .end: throw unexpected(Self.operandNames)
    }
  }

  /// Parses words that are values or that begin a construct.
  private mutating func keyword(_ word: String) throws -> QuerySyntax? {
    if let truth = QueryKeyword.truths[word] {
      try advance()
      return .value(.bool(truth))
    }
    switch word.uppercased() {
    case "NIL", "NULL":
      try advance()
      return .value(.null)
    case "TRUE", "FALSE":
      let value = token.isKeyword("TRUE")
      try advance()
      return .value(.bool(value))
    case "TRUEPREDICATE", "FALSEPREDICATE":
      let value = token.isKeyword("TRUEPREDICATE")
      try advance()
      return .constant(value)
    case "SELF": return try path(quantifier: nil)
    default: break
    }
    guard let quantifier = QueryKeyword.quantifiers[word.uppercased()], try isBeforePath() else { return nil }
    try advance()
    if token.isSymbol("(") { return try quantified(quantifier) }
    return try path(quantifier: quantifier)
  }

  private mutating func list() throws -> QuerySyntax {
    let start = token.start
    try advance()
    var elements: [QuerySyntax] = []
    while !token.isSymbol("}") {
      elements.append(try expression(.coalescing))
      guard try skip(symbol: ",") else { break }
    }
    try expect("}", "',' or '}'")
    return .list(elements, at: start)
  }

  /// Parses a number.
  private func numeric(_ text: String) throws -> QuerySyntax {
    let value = try number(text)
    guard case .double(let double) = value, let decimal = Self.decimal(text, unlike: double) else {
      return .value(value)
    }
    return .longNumber(double, decimal)
  }

  /// Returns the decimal with all digits as written, if the nearest double does not have all digits;
  /// otherwise `nil`.
  static func decimal(_ text: String, unlike double: Double) -> Decimal? {
    guard let decimal = DecimalText(text)?.decimal, decimal != ExactNumbers.written(double) else {
      return nil
    }
    return decimal
  }

  /// Returns the value of a number.
  ///
  /// An integer of more than 64 bits, and any number with the suffix `m`, is a decimal.
  func number(_ text: String) throws -> QueryValue {
    let isDecimal = text.hasSuffix("m")
    let digits = isDecimal ? String(text.dropLast()) : text
    if !isDecimal {
      if let integer = Int64(digits) { return .integer(integer) }
      if digits.contains(where: { ".eE".contains($0) }), let double = Double(digits), double.isFinite {
        return .double(double)
      }
    }
    if !digits.contains(where: { ".eE".contains($0) }) || isDecimal, let value = Self.decimal(digits) {
      return .decimal(value)
    }
    throw source.error(
      "The number is out of range.",
      at: token.start,
      found: token.description(in: source),
      expected: "an integer or a decimal of at most 38 digits, or a number that a Double can represent"
    )
  }

  /// Returns a decimal, or `nil` if a decimal cannot represent all digits of the text.
  static func decimal(_ text: String) -> Decimal? {
    text == "NaN" ? .nan : DecimalText(text)?.decimal
  }
}
