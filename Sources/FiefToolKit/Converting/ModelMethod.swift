/// A class method from which Realm reads names of properties, such as `primaryKey()`.
struct ModelMethod {
  enum Kind: String {
    case primaryKey
    case indexedProperties
    case ignoredProperties
  }

  let kind: Kind
  let file: Int
  let declaration: SwiftDeclaration
  /// The names that the method returns, or `nil` if they are not written as string literals.
  let names: [String]?

  init?(_ declaration: SwiftDeclaration, of source: SwiftSource, file: Int) {
    guard source.text(declaration.keyword) == "func",
      source.modifier("static", "class", of: declaration) != nil,
      let kind = Kind(rawValue: source.text(declaration.keyword + 1)),
      source.text(declaration.keyword + 3) == ")"
    else { return nil }
    self.kind = kind
    self.file = file
    self.declaration = declaration
    names = Self.names(kind, declaration, source)
  }

  private static func names(_ kind: Kind, _ declaration: SwiftDeclaration, _ source: SwiftSource) -> [String]?
  {
    let close = declaration.tokens.upperBound - 1
    guard source.text(close) == "}" else { return nil }
    var body = source.partner(of: close) + 1..<close
    if source.text(body.lowerBound) == "return" { body = body.lowerBound + 1..<close }
    if source.text(body.upperBound - 1) == ";" { body = body.lowerBound..<body.upperBound - 1 }
    guard !body.isEmpty else { return nil }
    if kind == .primaryKey {
      if body.count == 1, source.text(body.lowerBound) == "nil" { return [] }
      return source.propertyName(body).map { [$0] }
    }
    guard source.text(body.lowerBound) == "[", source.partner(of: body.lowerBound) == body.upperBound - 1
    else { return nil }
    var names: [String] = []
    for element in source.elements(body.lowerBound + 1..<body.upperBound - 1) {
      guard let name = source.propertyName(element) else { return nil }
      names.append(name)
    }
    return names
  }
}

extension SwiftSource {
  /// Returns the parts of a comma-separated list, without empty ones.
  func elements(_ tokens: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var (start, index) = (tokens.lowerBound, tokens.lowerBound)
    while index < tokens.upperBound {
      if text(index) == "," {
        result.append(start..<index)
        start = index + 1
      }
      index = max(partner(of: index), index) + 1
    }
    return (result + [start..<tokens.upperBound]).filter { !$0.isEmpty }
  }

  /// Returns the name in `"age"` or `#keyPath(Dog.age)`, or `nil` for any other expression.
  func propertyName(_ expression: Range<Int>) -> String? {
    let first = tokens[expression.lowerBound]
    if first.text == "#keyPath", expression.count > 3,
      partner(of: expression.lowerBound + 1) == expression.upperBound - 1
    {
      return tokens[expression.upperBound - 2].name
    }
    guard expression.count == 1, first.kind == .literal, first.text.hasPrefix("\""),
      !first.text.hasPrefix("\"\"\""),
      !first.text.contains("\\")
    else { return nil }
    return String(first.text.dropFirst().dropLast())
  }
}
