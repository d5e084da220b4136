import Foundation

extension QueryParser {
  private static let functions =
    "SUBQUERY, LENGTH, LOWERCASE, UPPERCASE, COALESCE, TERNARY, DATE, UUID, OID, DATA, DECIMAL, DOUBLE or OBJECT"

  /// Parses a name that is followed by a parenthesis.
  mutating func function(_ name: String) throws -> QuerySyntax {
    let start = token.start
    let upper = name.uppercased()
    switch upper {
    case "UUID", "OID", "OBJECTID", "DATE", "DATA", "DECIMAL", "DOUBLE", "B64":
      return try literalFunction(upper, at: start)
    default: break
    }
    try advance()
    try expect("(")
    let result: QuerySyntax
    switch upper {
    case _ where Self.regions.contains(upper): result = .region(try region(upper, at: start), at: start)
    case "SUBQUERY": return try subquery()
    case "LENGTH": result = .length(try expression(.coalescing))
    case "LOWERCASE", "LOWER": result = .lowercased(try expression(.coalescing))
    case "UPPERCASE", "UPPER": result = .uppercased(try expression(.coalescing))
    case "COALESCE":
      var operands = [try expression(.coalescing)]
      while try skip(symbol: ",") {
        try countOperator()
        operands.append(try expression(.coalescing))
      }
      var tail = operands.removeLast()
      for operand in operands.reversed() { tail = .coalesced(operand, tail) }
      result = tail
    case "TERNARY":
      let condition = try expression(.or)
      try expect(",")
      let first = try expression(.coalescing)
      try expect(",")
      result = .conditional(condition, first, try expression(.coalescing))
    case "OBJECT": result = try object(at: start)
    default:
      throw source.error(
        "The function is unknown.",
        at: start,
        found: "'\(name.prefix(40))'",
        expected: Self.functions + "; a property needs no parentheses"
      )
    }
    try expect(")")
    return result
  }

  /// Parses `SUBQUERY(dogs, $d, $d.age > 3).@count`.
  private mutating func subquery() throws -> QuerySyntax {
    let path = try wholePath()
    try expect(",", "',' and a variable such as $x")
    guard case .variable(let variable) = token.kind else { throw unexpected("a variable such as $x") }
    try advance()
    try expect(",", "',' and a condition")
    let condition = try expression(.or)
    try expect(")")
    try expect(".", "'.@count'")
    guard case .attribute(let attribute) = token.kind, ["count", "size"].contains(attribute.lowercased())
    else {
      throw unexpected("@count: a subquery supports only the number of its elements")
    }
    try advance()
    return .count(path, QuerySyntax.Scope(variable: variable), condition)
  }

  /// Parses `ANY(dogs, $d, $d.age > 3)`, or `ANY(dogs, age > 3)`, in which names refer to the element.
  mutating func quantified(_ quantifier: QueryQuantifier) throws -> QuerySyntax {
    try advance()
    let path = try wholePath()
    if try skip(symbol: ")") {
      var path = path
      path.quantifier = quantifier
      return .path(path)
    }
    try expect(",", "',' and a condition, or ')'")
    var scope: QuerySyntax.Scope?
    if case .variable(let variable) = token.kind, try peek().isSymbol(",") {
      scope = QuerySyntax.Scope(variable: variable)
      try advance()
      try advance()
    }
    let condition = try expression(.or)
    try expect(")")
    return .quantified(quantifier, path, scope, condition)
  }

  /// Parses `OBJECT('Dog', 'its key')`. The key may also be data or nil.
  private mutating func object(at start: Int) throws -> QuerySyntax {
    let type = try literal()
    guard case .string(let name) = type else { throw unexpected("the name of a type as a string") }
    try expect(",")
    if token.isKeyword("DATA") {
      guard case .value(.data(let bytes)) = try function("DATA"),
        ObjectKey.lengths.contains(bytes.count)
      else { throw unexpected("the bytes of a key") }
      return .value(.object(type: name, key: ObjectKey(storedBytes: bytes)))
    }
    if token.isKeyword("NIL") || token.isKeyword("NULL") {
      try advance()
      return .value(.object(type: name, key: nil))
    }
    let keyStart = token.start
    guard let text = try literal().keyText else { throw unexpected("the key: a string, a number or data") }
    return .key(type: name, text: text, at: keyStart)
  }
}

extension QueryValue {
  /// The text of a key that is given as a value.
  fileprivate var keyText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .uuid(let id): id.uuidString
    case .objectId(let id): id.description
    default: nil
    }
  }
}
