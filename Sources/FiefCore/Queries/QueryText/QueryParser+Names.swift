extension QueryParser {
  /// Whether the current word, in capitals, is the name of a property when an operand is expected.
  ///
  /// A word that is an operator elsewhere is a name if no operand follows it: `text == 'a'`.
  func isName(_ word: String) throws -> Bool {
    if QueryKeyword.reserved.contains(word) { return false }
    guard QueryKeyword.tests.contains(word) else { return true }
    let (next, following) = try peekTwo()
    return !Self.beginsOperand(next, following)
  }

  /// Whether the current quantifier is followed by the path of a collection. Otherwise the word is a name:
  /// `any > 3`.
  func isBeforePath() throws -> Bool {
    let (next, following) = try peekTwo()
    if let word = next.keyword, QueryKeyword.tests.contains(word) {
      // In `any LIKE 'a*'` the word is a property. In `ANY text == 'a'` it is the quantifier of a collection.
      if following.isSymbol("[") { return try !isOption(behind: 2) }
      if let word = following.keyword, QueryKeyword.tests.contains(word) {
        // Both `any CONTAINS text` and `ANY text CONTAINS 'a'` begin with such a pair of words. A comparison
        // follows only in the second text.
        let (third, fourth) = (try peek(3), try peek(4))
        if third.isSymbol("[") { return try isOption(behind: 3) }
        // No other operator follows a comparison, so this word is a name: `ANY text CONTAINS text`.
        if let word = third.keyword, QueryKeyword.tests.contains(word) { return true }
        return Self.beginsOperand(third, fourth)
      }
      return !Self.beginsOperand(following, nil)
    }
    // Any other token is an error.
    return Self.beginsOperand(next, following)
  }

  /// Whether the bracket that is `count` tokens ahead begins an option such as `[c]`, rather than the key of
  /// a map.
  private func isOption(behind count: Int) throws -> Bool {
    if case .word = try peek(count + 1).kind { return true }
    return false
  }

  /// Returns the token at a distance from the current token, or the end of the text if there are fewer
  /// tokens.
  private func peek(_ count: Int) throws -> QueryToken {
    var lexer = lexer
    var token = token
    for _ in 0..<count where token.kind != .end { token = try lexer.next() }
    return token
  }

  private func peekTwo() throws -> (QueryToken, QueryToken) {
    var lexer = lexer
    let next = try lexer.next()
    return (next, next.kind == .end ? next : try lexer.next())
  }

  private static func beginsOperand(_ token: QueryToken, _ following: QueryToken?) -> Bool {
    switch token.kind {
    case .end: return false
    case .symbol(let symbol): return symbol == "(" || symbol == "{"
    case .word(let word):
      let word = word.uppercased()
      if ["AND", "OR", "NOT"].contains(word) || QueryKeyword.tests.contains(word) { return false }
      return !(QueryKeyword.clauses.contains(word) && following?.isSymbol("(") == true)
    default: return true
    }
  }
}
