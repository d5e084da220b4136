extension QueryParser {
  /// Whether the word at hand, in capitals, is the name of a property where an operand is expected.
  ///
  /// A word that stands between operands elsewhere is one if no operand follows: `text == 'a'`.
  func isName(_ word: String) throws -> Bool {
    if QueryKeyword.reserved.contains(word) { return false }
    guard QueryKeyword.tests.contains(word) else { return true }
    let (next, following) = try peekTwo()
    return !Self.beginsOperand(next, following)
  }

  /// Whether the path of a collection follows the quantifier at hand, which is a name otherwise: `any > 3`.
  func isBeforePath() throws -> Bool {
    let (next, following) = try peekTwo()
    if let word = next.keyword, QueryKeyword.tests.contains(word) {
      // `any LIKE 'a*'` has a property of that name, `ANY text == 'a'` a collection.
      if following.isSymbol("[") { return try !isOption(behind: 2) }
      if let word = following.keyword, QueryKeyword.tests.contains(word) {
        // The same two words begin `any CONTAINS text`, without a comparison behind, and `ANY text CONTAINS 'a'`.
        let (third, fourth) = (try peek(3), try peek(4))
        if third.isSymbol("[") { return try isOption(behind: 3) }
        // No other operator follows a comparison, so that such a word is a name: `ANY text CONTAINS text`.
        if let word = third.keyword, QueryKeyword.tests.contains(word) { return true }
        return Self.beginsOperand(third, fourth)
      }
      return !Self.beginsOperand(following, nil)
    }
    // Any other token is an error.
    return Self.beginsOperand(next, following)
  }

  /// Whether an option such as `[c]` and not the key of a map follows so many words, of which the last is its bracket.
  private func isOption(behind count: Int) throws -> Bool {
    if case .word = try peek(count + 1).kind { return true }
    return false
  }

  /// The word so many places behind the one at hand; the end where there are fewer.
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
