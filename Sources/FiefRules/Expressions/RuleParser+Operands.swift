import Fief

/// Parsing operands and calls.
extension RuleParser {
  mutating func postfix() throws(RuleSyntaxError) -> Part {
    var part = try primary()
    var count = 0
    while try accept(.dot) {
      count += 1
      guard count <= Self.deepest else { throw error("Too many calls follow one another.") }
      let name = try name()
      if token == .symbol(.opening) {
        try require(part, .text, "Only texts have methods here.")
        part = try textMethod(name, of: part)
      } else {
        try require(part, name == "length" ? [.text, .object] : .object, "The value has no members.")
        let type: RuleType = part.type == .text ? .number : .any
        part = Part(value: .member(part.value, name), type: type, start: part.start)
      }
    }
    return part
  }

  private mutating func name() throws(RuleSyntaxError) -> String {
    guard case .name(let name) = token, !name.hasPrefix("$") else { throw error("A name is expected.") }
    try advance()
    return name
  }

  private mutating func primary() throws(RuleSyntaxError) -> Part {
    let start = lexer.start
    switch token {
    case .number(.int(let value)): return try literal(.int(value), .number)
    case .number(.double(let value)): return try literal(.double(value), .number)
    case .text(let text): return try literal(.string(text), .text)
    case .symbol(.opening):
      try advance()
      let inner = try expression()
      try expect(.closing)
      return inner
    case .symbol(.openingList): throw error("A list is only possible as the argument of 'hasChildren'.")
    case .symbol(.divided): throw error("A regular expression is only possible as the argument of 'matches'.")
    case .name(let name): return try variable(name, start)
    case .symbol, .end: throw error("A value is expected.")
    }
  }

  private mutating func literal(_ value: RuleValue, _ type: RuleType) throws(RuleSyntaxError) -> Part {
    let start = lexer.start
    try advance()
    return Part(value: .literal(value), type: type, start: start)
  }

  private mutating func variable(_ name: String, _ start: Int) throws(RuleSyntaxError) -> Part {
    switch name {
    case "true": return try literal(.bool(true), .bool)
    case "false": return try literal(.bool(false), .bool)
    case "null": return try literal(.null, .null)
    case "now":
      try advance()
      return Part(value: .now, type: .number, start: start)
    case "auth": return try identity(start)
    case "query": return try query(start)
    case "root": return try data(.root, start)
    case "data":
      if variables.isGroup { throw error("A group has no place: 'data' cannot be used.") }
      return try data(.data, start)
    case "newData":
      if variables.kind == .read { throw error("A read has no 'newData'.") }
      return try data(.newData, start)
    case _ where name.hasPrefix("$"):
      guard let level = variables.pattern.level(of: name) else {
        throw error("The path of the rule has no such name with '$'.")
      }
      try advance()
      return Part(value: .wildcard(level: level), type: .text, start: start)
    default: throw error("The name is unknown.")
    }
  }

  private mutating func identity(_ start: Int) throws(RuleSyntaxError) -> Part {
    try advance()
    guard try accept(.dot) else {
      return Part(value: .identity(.whole), type: [.object, .null], start: start)
    }
    switch token {
    case .name("uid"):
      try advance()
      return Part(value: .identity(.uid), type: [.text, .null], start: start)
    case .name("provider"):
      try advance()
      return Part(value: .identity(.provider), type: [.text, .null], start: start)
    case .name("token"):
      try advance()
      return Part(value: .identity(.token), type: [.object, .null], start: start)
    default: throw error("'auth' has 'uid', 'provider' and 'token'.")
    }
  }

  private mutating func query(_ start: Int) throws(RuleSyntaxError) -> Part {
    if variables.kind != .read { throw error("A write has no 'query'.") }
    try advance()
    try expect(.dot)
    guard case .name(let name) = token, let member = RuleQuery.Member(rawValue: name) else {
      throw error("'query' has no such member.")
    }
    try advance()
    return Part(value: .query(member), type: [.bool, .number, .text, .null], start: start)
  }

  // MARK: Data

  private mutating func data(_ variable: RuleExpression.DataExpression.Variable, _ start: Int)
    throws(RuleSyntaxError) -> Part
  {
    try advance()
    var place = RuleExpression.DataExpression(variable: variable)
    while try accept(.dot) {
      let position = lexer.start
      let name = try name()
      try expect(.opening)
      switch name {
      case "parent": place.steps.append(.parent)
      case "child": place.steps.append(.child(try path()))
      default:
        guard let (method, type) = try dataMethod(name) else {
          throw RuleSyntaxError("A place has no such method.", at: position)
        }
        try expect(.closing)
        return Part(value: .data(place, method), type: type, start: start)
      }
      try expect(.closing)
    }
    throw error("A place is no value: use a method such as 'val()'.")
  }

  private mutating func dataMethod(_ name: String) throws(RuleSyntaxError)
    -> (RuleExpression.DataMethod, RuleType)?
  {
    switch name {
    case "val": return (.value, [.bool, .number, .text, .null])
    case "exists": return (.exists, .bool)
    case "isString": return (.isString, .bool)
    case "isNumber": return (.isNumber, .bool)
    case "isBoolean": return (.isBoolean, .bool)
    case "getPriority": return (.priority, .null)
    case "hasChild": return (.hasChild(try path()), .bool)
    case "hasChildren":
      if token == .symbol(.closing) { return (.hasChildren([]), .bool) }
      try expect(.openingList)
      var paths: [RuleExpression.PathExpression] = []
      repeat { paths.append(try path()) } while try accept(.comma)
      try expect(.closingList)
      return (.hasChildren(paths), .bool)
    default: return nil
    }
  }

  private mutating func argument() throws(RuleSyntaxError) -> RuleExpression {
    let part = try expression()
    try require(part, .text, "An argument must be a text.")
    return part.value
  }

  private mutating func path() throws(RuleSyntaxError) -> RuleExpression.PathExpression {
    RuleExpression.PathExpression(try argument())
  }

  // MARK: Texts

  private mutating func textMethod(_ name: String, of part: Part) throws(RuleSyntaxError) -> Part {
    let position = lexer.start
    try expect(.opening)
    var type: RuleType = .bool
    let method: RuleExpression.TextMethod
    switch name {
    case "contains": method = .contains(try argument())
    case "beginsWith": method = .beginsWith(try argument())
    case "endsWith": method = .endsWith(try argument())
    case "replace":
      let old = try argument()
      try expect(.comma)
      method = .replace(old, try argument())
      type = .text
    case "toLowerCase":
      method = .toLowerCase
      type = .text
    case "toUpperCase":
      method = .toUpperCase
      type = .text
    case "matches": method = .matches(try matcher())
    default: throw RuleSyntaxError("A text has no such method.", at: position)
    }
    try expect(.closing)
    return Part(value: .text(part.value, method), type: type, start: part.start)
  }

  private mutating func matcher() throws(RuleSyntaxError) -> RuleMatcher {
    guard token == .symbol(.divided) else { throw error("A regular expression between slashes is expected.") }
    let (pattern, offset, flags) = try lexer.pattern()
    guard flags.isEmpty || flags == "i" else {
      throw error("A regular expression has no other flag than 'i'.")
    }
    do throws(RuleSyntaxError) {
      let matcher = try RuleMatcher.compile(pattern, ignoresCase: !flags.isEmpty)
      try advance()
      return matcher
    } catch {
      throw error.moved(by: offset)
    }
  }
}
