extension QueryParser {
  /// Parses an expression whose operators have at least the given precedence.
  mutating func expression(_ weakest: Precedence) throws -> QuerySyntax {
    try deeper { try $0.operatorsAndOperands(weakest) }
  }

  private mutating func operatorsAndOperands(_ weakest: Precedence) throws -> QuerySyntax {
    var left: QuerySyntax
    if weakest <= .not, token.isSymbol("!") || token.isKeyword("NOT") {
      try advance()
      left = .not(try expression(.not))
    } else {
      left = try prefixed()
    }
    while let precedence = precedence, precedence >= weakest {
      switch precedence {
      case .or: left = .any(try chain(left, .or))
      case .and: left = .all(try chain(left, .and))
      case .not, .comparison:
        left = try comparison(left)
        if self.precedence == .comparison {
          throw unexpected("AND, OR or the end: a comparison has two sides")
        }
      case .coalescing:
        try countOperator()
        try advance()
        left = .coalesced(left, try expression(.coalescing))
      case .sum, .product, .unary:
        if case .nextFormatted = token.kind { splitFormat() }
        guard case .symbol(let symbol) = token.kind, let arithmetic = QueryArithmetic(rawValue: symbol) else {
          return left
        }
        try countOperator()
        try advance()
        left = .arithmetic(left, arithmetic, try expression(precedence.next))
      }
    }
    return left
  }

  /// The precedence of the current operator, or `nil` if the current token is not an operator.
  private var precedence: Precedence? {
    switch token.kind {
    case .symbol(let symbol):
      switch symbol {
      case "||": .or
      case "&&": .and
      case "==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>": .comparison
      case "??": .coalescing
      case "+", "-": .sum
      case "*", "/", "%": .product
      default: nil
      }
    // After an operand, `%d` is the remainder operator and a property: `a %d`.
    case .nextFormatted: .product
    case .word:
      switch token.keyword {
      case "OR": .or
      case "AND": .and
      case "NOT": .comparison
      case let word?: QueryKeyword.tests.contains(word) ? .comparison : nil
      case nil: nil
      }
    default: nil
    }
  }

  /// Splits a token that looks like a placeholder, so that its percent sign becomes an operator.
  private mutating func splitFormat() {
    let start = token.start
    token = QueryToken(kind: .symbol("%"), range: start..<start + 1)
    lexer.position = start + 1
  }

  /// Parses all conditions that are joined by the same operator into one list, however long it is.
  private mutating func chain(_ first: QuerySyntax, _ precedence: Precedence) throws -> [QuerySyntax] {
    var parts = [first]
    while self.precedence == precedence {
      try advance()
      parts.append(try expression(precedence.next))
    }
    return parts
  }

  private mutating func comparison(_ left: QuerySyntax) throws -> QuerySyntax {
    let start = token.start
    let word = token.keyword ?? ""
    if word == "NOT" {
      try advance()
      guard let word = token.keyword, word != "NOT", precedence == .comparison else {
        throw unexpected("IN, CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES or BETWEEN")
      }
      return .not(try comparison(left))
    }
    let symbol: String? = if case .symbol(let symbol) = token.kind { symbol } else { nil }
    try advance()
    let options = try textOptions()
    switch word {
    case "IN": return .membership(left, try expression(.coalescing), options, at: start)
    case "BETWEEN": return .between(left, try expression(.coalescing), options, at: start)
    case "MATCHES", "TEXT":
      guard options.isEmpty else { throw unexpected("words without options: words are always folded") }
      return .matches(left, try expression(.coalescing), at: start)
    case "GEOWITHIN":
      guard options.isEmpty else { throw unexpected("a region without options") }
      return .within(left, try expression(.coalescing), at: start)
    default: break
    }
    let comparison: QueryComparison? =
      switch symbol {
      case "=": .equal
      case "<>": .notEqual
      case "=<": .lessOrEqual
      case "=>": .greaterOrEqual
      default: QueryComparison(rawValue: symbol ?? word)
      }
    guard let comparison else { throw unexpected("a comparison") }
    return .comparison(left, comparison, try expression(.coalescing), options, at: start)
  }

  /// Parses `[c]`, `[d]` or `[cd]`. Returns an empty set if there are no options.
  mutating func textOptions() throws -> QueryTextOptions {
    guard token.isSymbol("["), case .word(let letters) = try peek().kind else { return [] }
    try advance()
    var options: QueryTextOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default: throw unexpected("c, d or cd, to ignore case, diacritics, or both")
      }
    }
    try advance()
    try expect("]")
    return options
  }
}
