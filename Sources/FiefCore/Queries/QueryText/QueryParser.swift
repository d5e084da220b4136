/// Parses the text of a query by the grammar in the article QueryLanguage.md.
///
/// The parser uses recursive descent with operator precedence. It counts the levels of recursion, and the
/// operators whose chains make the tree deeper, so that no text can overflow the stack.
struct QueryParser {
  /// The precedence of operators, weakest first.
  enum Precedence: Int, Comparable {
    case or, and, not, comparison, coalescing, sum, product, unary

    static func < (first: Precedence, second: Precedence) -> Bool { first.rawValue < second.rawValue }
    var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .unary }
  }

  /// The maximum depth of nested parentheses, functions and quantifiers.
  static let deepest = 32
  /// The maximum number of arithmetic operators and `??` in a text. Each makes the expression one level
  /// deeper.
  static let mostOperators = 100

  /// The maximum number of steps in a path.
  static let longestPath = 100

  let source: QuerySource
  let arguments: [QueryArgument]
  var lexer: QueryLexer
  var token: QueryToken
  private var depth = 0
  private var operators = 0
  private var lastPath = 0
  var usage = ArgumentUsage()

  /// The arguments that the text has used so far.
  struct ArgumentUsage {
    var inTurn = 0
    var numbered: Set<Int> = []
  }

  init(_ source: QuerySource, arguments: [QueryArgument]) throws {
    self.source = source
    self.arguments = arguments
    lexer = QueryLexer(source)
    token = try lexer.next()
  }

  mutating func parse() throws -> QuerySentence {
    var sentence = QuerySentence()
    if token.kind != .end, !isClause { sentence.condition = try expression(.or) }
    sentence.clauses = try clauses()
    guard token.kind == .end else {
      throw unexpected(
        sentence.clauses.isEmpty
          ? "an operator, AND, OR, a clause such as SORT(...), or the end" : "a clause or the end"
      )
    }
    try checkArguments()
    return sentence
  }

  /// Parses a text that consists of a single operand.
  mutating func parseOperand() throws -> QuerySyntax {
    let operand = try expression(.coalescing)
    guard token.kind == .end else { throw unexpected("an arithmetic operator, or the end") }
    return operand
  }

  // MARK: Words

  mutating func advance() throws { token = try lexer.next() }

  func unexpected(_ expected: String) -> FiefError {
    source.error(
      "The text of the query does not follow the grammar.",
      at: token.start,
      found: token.description(in: source),
      expected: expected
    )
  }

  mutating func skip(symbol: String) throws -> Bool {
    guard token.isSymbol(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: String, _ expected: String? = nil) throws {
    guard try skip(symbol: symbol) else { throw unexpected(expected ?? "'\(symbol)'") }
  }

  mutating func skip(keyword: String) throws -> Bool {
    guard token.isKeyword(keyword) else { return false }
    try advance()
    return true
  }

  /// Returns the token after the current one.
  func peek() throws -> QueryToken {
    var lexer = lexer
    return try lexer.next()
  }

  mutating func pathID() -> Int {
    lastPath += 1
    return lastPath
  }

  /// Calls `body` one nesting level deeper.
  mutating func deeper<Value>(_ body: (inout QueryParser) throws -> Value) throws -> Value {
    guard depth < Self.deepest else {
      throw source.error(
        "The query is nested too deeply.",
        at: token.start,
        expected: "at most \(Self.deepest) levels"
      )
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  mutating func countOperator() throws {
    operators += 1
    guard operators <= Self.mostOperators else {
      throw source.error(
        "The query has too many arithmetic operators.",
        at: token.start,
        expected: "at most \(Self.mostOperators)"
      )
    }
  }
}
