import Fief

/// Parses the expression of a rule.
///
/// It refuses expressions that cannot be evaluated for any data: unknown names and methods, and operands whose
/// types never fit.
struct RuleParser {
  /// The maximum length of an expression in bytes.
  static let longest = 8192
  /// The maximum depth of nested parentheses, arguments and signs, and the maximum length of a row of calls.
  static let deepest = 64

  /// The names that an expression may use.
  struct Variables {
    let kind: Rule.Kind
    /// Whether the rule is the rule of a group, which has no place.
    var isGroup = false
    /// The path of the rule, whose `$names` are variables.
    var pattern = RulePattern()
  }

  /// A parsed part of an expression.
  struct Part {
    let value: RuleExpression
    let type: RuleType
    /// The offset in the expression.
    let start: Int
  }

  let variables: Variables
  var lexer: RuleLexer
  var token = RuleToken.end
  private var depth = 0

  /// Returns the compiled expression.
  static func parse(_ text: String, _ variables: Variables) throws(RuleSyntaxError) -> RuleExpression {
    guard text.utf8.count <= longest else {
      throw RuleSyntaxError("An expression is longer than \(longest) bytes.", at: 0)
    }
    var parser = RuleParser(variables: variables, lexer: RuleLexer(text))
    try parser.advance()
    let result = try parser.expression()
    guard parser.token == .end else { throw parser.error("An operator is expected.") }
    try parser.require(result, .bool, "The result of a rule is true or false.")
    return result.value
  }

  private init(variables: Variables, lexer: RuleLexer) {
    self.variables = variables
    self.lexer = lexer
  }

  // MARK: Tokens

  mutating func advance() throws(RuleSyntaxError) { token = try lexer.next() }

  func error(_ message: String) -> RuleSyntaxError { RuleSyntaxError(message, at: lexer.start) }

  /// Reads a symbol if it is the next token.
  mutating func accept(_ symbol: RuleToken.Symbol) throws(RuleSyntaxError) -> Bool {
    guard token == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: RuleToken.Symbol) throws(RuleSyntaxError) {
    guard try accept(symbol) else { throw error("'\(symbol.rawValue)' is expected.") }
  }

  func require(_ part: Part, _ type: RuleType, _ message: String) throws(RuleSyntaxError) {
    if part.type.isDisjoint(with: type) { throw RuleSyntaxError(message, at: part.start) }
  }

  /// Counts a level of nesting while `body` parses it.
  mutating func nested(_ body: (inout RuleParser) throws(RuleSyntaxError) -> Part) throws(RuleSyntaxError)
    -> Part
  {
    guard depth < Self.deepest else { throw error("An expression is nested too deeply.") }
    depth += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  // MARK: Operators

  mutating func expression() throws(RuleSyntaxError) -> Part {
    try nested { (parser) throws(RuleSyntaxError) in try parser.conditional() }
  }

  private mutating func conditional() throws(RuleSyntaxError) -> Part {
    var last = try binary(0)
    guard token == .symbol(.question) else { return last }
    let start = last.start
    var cases: [RuleExpression.Case] = []
    var type: RuleType = []
    while try accept(.question) {
      try require(last, .bool, "A condition is true or false.")
      let value = try expression()
      try expect(.colon)
      cases.append(RuleExpression.Case(condition: last.value, value: value.value))
      type.formUnion(value.type)
      last = try binary(0)
    }
    return Part(value: .conditional(cases, last.value), type: type.union(last.type), start: start)
  }

  /// The operators of the same precedence, from the weakest on.
  private static let levels: [[RuleToken.Symbol: RuleExpression.Operator]] = [
    [.equal: .equal, .looselyEqual: .equal, .notEqual: .notEqual, .looselyNotEqual: .notEqual],
    [.less: .less, .lessOrEqual: .lessOrEqual, .greater: .greater, .greaterOrEqual: .greaterOrEqual],
    [.plus: .add, .minus: .subtract],
    [.times: .multiply, .divided: .divide, .remainder: .remainder],
  ]

  /// - Parameter level: 0 for `||`, 1 for `&&`, then an index of ``levels`` plus 2.
  private mutating func binary(_ level: Int) throws(RuleSyntaxError) -> Part {
    if level < 2 { return try logical(level) }
    guard level - 2 < Self.levels.count else { return try unary() }
    let first = try binary(level + 1)
    var type = first.type
    var operands: [RuleExpression.Operand] = []
    while case .symbol(let symbol) = token, let operation = Self.levels[level - 2][symbol] {
      try advance()
      let next = try binary(level + 1)
      type = try check(operation, Part(value: first.value, type: type, start: first.start), next)
      operands.append(RuleExpression.Operand(operation: operation, value: next.value))
    }
    if operands.isEmpty { return first }
    return Part(value: .chain(first.value, operands), type: type, start: first.start)
  }

  private mutating func logical(_ level: Int) throws(RuleSyntaxError) -> Part {
    let first = try binary(level + 1)
    var values = [first.value]
    let symbol = level == 0 ? RuleToken.Symbol.or : .and
    while try accept(symbol) {
      if values.count == 1 { try require(first, .bool, "'\(symbol.rawValue)' needs true or false.") }
      let next = try binary(level + 1)
      try require(next, .bool, "'\(symbol.rawValue)' needs true or false.")
      values.append(next.value)
    }
    if values.count == 1 { return first }
    return Part(value: level == 0 ? .or(values) : .and(values), type: .bool, start: first.start)
  }

  /// Returns the type of an operation.
  private func check(_ operation: RuleExpression.Operator, _ first: Part, _ second: Part)
    throws(RuleSyntaxError)
    -> RuleType
  {
    switch operation {
    case .equal, .notEqual: return .bool
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let ordered: RuleType = [.number, .text]
      try require(first, ordered.intersection(second.type), "A comparison needs two numbers or two texts.")
      return .bool
    case .add:
      for part in [first, second] { try require(part, [.number, .text], "'+' needs numbers or texts.") }
      if first.type == .number && second.type == .number { return .number }
      return first.type == .text || second.type == .text ? .text : [.number, .text]
    case .subtract, .multiply, .divide, .remainder:
      for part in [first, second] { try require(part, .number, "An operator needs numbers.") }
      return .number
    }
  }

  private mutating func unary() throws(RuleSyntaxError) -> Part {
    let start = lexer.start
    if try accept(.not) {
      let operand = try nested { (parser) throws(RuleSyntaxError) in try parser.unary() }
      try require(operand, .bool, "'!' needs true or false.")
      return Part(value: .not(operand.value), type: .bool, start: start)
    }
    if try accept(.minus) {
      let operand = try nested { (parser) throws(RuleSyntaxError) in try parser.unary() }
      try require(operand, .number, "'-' needs a number.")
      return Part(value: .negative(operand.value), type: .number, start: start)
    }
    return try postfix()
  }
}
