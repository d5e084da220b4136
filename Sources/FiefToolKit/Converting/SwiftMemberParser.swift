/// Finds the declarations in the body of a type. The bodies of functions and nested types are skipped.
struct SwiftMemberParser {
  private static let modifiers: Set<String> = [
    "public", "open", "internal", "fileprivate", "private", "package", "static", "final", "override",
    "dynamic", "lazy",
    "weak", "unowned", "nonisolated", "required", "convenience", "mutating", "nonmutating", "indirect",
    "optional",
    "isolated", "distributed", "prefix", "postfix", "infix", "consuming", "borrowing",
  ]
  private static let keywords: Set<String> = [
    "var", "let", "func", "init", "deinit", "subscript", "class", "struct", "enum", "actor", "protocol",
    "extension",
    "typealias", "associatedtype", "case", "operator", "import", "macro",
  ]

  private let source: SwiftSource
  private var index: Int
  private let end: Int
  private var conditions = 0

  /// - Parameter body: the tokens between the braces.
  static func declarations(of source: SwiftSource, in body: Range<Int>) -> [SwiftDeclaration] {
    var parser = SwiftMemberParser(source: source, index: body.lowerBound, end: body.upperBound)
    var result: [SwiftDeclaration] = []
    while let next = parser.next() { result.append(next) }
    return result
  }

  private init(source: SwiftSource, index: Int, end: Int) {
    (self.source, self.index, self.end) = (source, index, end)
  }

  private var text: String { index < end ? source.text(index) : "" }

  private func isModifier(_ place: Int) -> Bool {
    let text = source.text(place)
    guard text == "class" else { return Self.modifiers.contains(text) }
    return ["func", "var", "let", "subscript"].contains(source.text(place + 1)) || isModifier(place + 1)
  }

  /// Whether a token can begin a declaration.
  private func isStart(_ place: Int) -> Bool {
    let token = source.tokens[place]
    return token.kind == .directive || token.text == "@" || token.text == "}"
      || Self.keywords.contains(token.text)
      || isModifier(place)
  }

  private mutating func next() -> SwiftDeclaration? {
    while index < end {
      if source.tokens[index].kind == .directive {
        if text.hasPrefix("#if") { conditions += 1 }
        if text.hasPrefix("#endif") { conditions -= 1 }
      } else if isStart(index) {
        return declaration()
      }
      index = source.partner(of: index) > index ? source.partner(of: index) + 1 : index + 1
    }
    return nil
  }

  private mutating func declaration() -> SwiftDeclaration {
    var result = SwiftDeclaration()
    result.isConditional = conditions > 0
    let start = index
    while index < end {
      if text == "@" {
        result.attributes.append(attribute())
      } else if isModifier(index) {
        result.modifiers.append(index)
        index += 1
        if text == "(" { index = source.partner(of: index) + 1 }
      } else {
        break
      }
    }
    result.keyword = index
    if text == "var" || text == "let" {
      repeat {
        index += 1
        guard index < end else { break }
        result.bindings.append(binding())
      } while text == ","
    } else {
      skip()
    }
    index = max(index, start + 1)
    result.tokens = start..<min(index, end)
    return result
  }

  private mutating func attribute() -> SwiftDeclaration.Attribute {
    let start = index
    index += 1
    var name = text
    index += 1
    while text == ".", index + 1 < end {
      name = source.text(index + 1)
      index += 2
    }
    if text == "<", source.isAdjacent(index) { skipAngles() }
    let hasArguments = text == "(" && source.isAdjacent(index)
    if hasArguments { index = source.partner(of: index) + 1 }
    return SwiftDeclaration.Attribute(name: name, hasArguments: hasArguments, tokens: start..<index)
  }

  /// Skips to the end of a function or a nested type.
  private mutating func skip() {
    index += 1
    while index < end {
      let token = source.tokens[index]
      if token.text == "{" || token.text == ";" {
        index = source.partner(of: index) + 1
        return
      }
      if token.isFirstInLine, isStart(index) || token.kind == .directive { return }
      index = max(source.partner(of: index), index) + 1
    }
  }

  private mutating func skipAngles() {
    var depth = 0
    while index < end {
      if text == "<" { depth += 1 }
      if text == ">", !(source.text(index - 1) == "-" && source.isAdjacent(index)) { depth -= 1 }
      index = max(source.partner(of: index), index) + 1
      if depth == 0 { return }
    }
  }

  // MARK: Properties

  private mutating func binding() -> SwiftDeclaration.Binding {
    var binding = SwiftDeclaration.Binding(name: index)
    index = max(source.partner(of: index), index) + 1
    if text == ":" {
      index += 1
      let start = index
      skipType()
      if index > start { binding.type = start..<index }
    }
    if text == "=" {
      index += 1
      let start = index
      skipExpression()
      if index > start { binding.initializer = start..<index }
    }
    if text == "{", binding.initializer == nil || isObserver(index) {
      binding.isComputed = !isObserver(index)
      binding.block = index..<source.partner(of: index) + 1
      index = source.partner(of: index) + 1
    }
    return binding
  }

  private mutating func skipType() {
    while index < end {
      let token = source.tokens[index]
      if ["=", "{", ",", ";", "}"].contains(token.text) || token.kind == .directive { return }
      let continues =
        [".", "&", "-", "?", "<"].contains(token.text)
        || [":", ".", "&", ">"].contains(source.text(index - 1))
      if token.isFirstInLine, !continues || isStart(index) { return }
      if token.text == "<" { skipAngles() } else { index = max(source.partner(of: index), index) + 1 }
    }
  }

  /// Whether a brace opens the observers of a property.
  private func isObserver(_ brace: Int) -> Bool {
    var place = brace + 1
    while source.text(place) == "@" { place += 2 }
    return ["willSet", "didSet"].contains(source.text(place))
  }

  private mutating func skipExpression() {
    let start = index
    while index < end {
      let token = source.tokens[index]
      if [",", ";", "}"].contains(token.text) || token.kind == .directive { return }
      if token.text == "{", index > start, isObserver(index) { return }
      if token.isFirstInLine, index > start, !continues(index) { return }
      if token.text == "<", let end = endOfGenerics(index) {
        index = end
      } else {
        index = max(source.partner(of: index), index) + 1
      }
    }
  }

  /// Returns the index after generic arguments in an expression, such as `Map<String, Int>()`, or `nil` for a
  /// comparison.
  private func endOfGenerics(_ start: Int) -> Int? {
    guard source.isAdjacent(start), source.isAdjacent(start + 1) else { return nil }
    var parser = self
    parser.skipAngles()
    let isType = (start..<parser.index).allSatisfy {
      let token = source.tokens[$0]
      return token.kind == .word
        || token.kind == .symbol && !["{", "}", ";", "=", "+", "*", "/", "%", "|"].contains(token.text)
    }
    return isType && ["(", "."].contains(source.text(parser.index)) ? parser.index : nil
  }

  /// Whether a token at the beginning of a line continues the previous expression.
  private func continues(_ place: Int) -> Bool {
    let token = source.tokens[place]
    if token.kind == .symbol, !["@", "(", "["].contains(token.text) { return token.text != "{" }
    if ["as", "is"].contains(token.text) { return true }
    let before = source.tokens[place - 1]
    if ["try", "await", "as", "is", "in"].contains(before.text) { return true }
    let isOperator = before.kind == .symbol && ![")", "]", "}"].contains(before.text)
    return isOperator && !(["!", "?", ">"].contains(before.text) && source.isAdjacent(place - 1))
  }
}
