extension QueryParser {
  /// Parses a path to a value, with the operators that follow it: `dogs.@sum.age`.
  mutating func path(quantifier: QueryQuantifier?) throws -> QuerySyntax {
    .path(try wholePath(quantifier: quantifier))
  }

  mutating func wholePath(quantifier: QueryQuantifier? = nil) throws -> QuerySyntax.Path {
    var path = QuerySyntax.Path(id: pathID(), start: token.start, root: .names, steps: [])
    path.quantifier = quantifier
    switch token.kind {
    case .variable(let name):
      path.root = .variable(name)
      try advance()
    case .attribute("links"): try addLinks(to: &path)
    case .word where token.isKeyword("SELF"): try advance()
    case .word(let word):
      guard !QueryKeyword.reserved.contains(word.uppercased()) else {
        throw unexpected("a property; put keywords used as names in backquotes: `\(word)`")
      }
      try addNames(to: &path.steps)
    case .name, .nextName: try addNames(to: &path.steps)
    default: throw unexpected("a property")
    }
    while try addStep(to: &path) {}
    return path
  }

  /// - Returns: whether there was a step.
  private mutating func addStep(to path: inout QuerySyntax.Path) throws -> Bool {
    let start = token.start
    if token.isSymbol("["), path.tail == nil {
      // In `name[c]` after a comparison or in an order, the brackets contain an option.
      if case .word(let word) = try peek().kind, Self.place(named: word) == nil { return false }
      path.steps.append(try part())
      return true
    }
    guard token.isSymbol(".") else { return false }
    guard path.tail == nil else { throw unexpected("nothing after a value computed from a collection") }
    try advance()
    guard case .attribute(let attribute) = token.kind else {
      try addNames(to: &path.steps)
      return true
    }
    switch attribute.lowercased() {
    case "count", "size": path.tail = .count(at: start)
    case "length": path.tail = .length(at: start)
    case "type": path.tail = .type(at: start)
    case "keys", "allkeys": path.steps.append(.keys(at: start))
    case "values", "allvalues": path.steps.append(.values(at: start))
    case "links":
      try addLinks(to: &path)
      return true
    default:
      guard let aggregate = QueryAggregate(rawValue: attribute.lowercased()) else {
        throw unexpected(
          "@count, @size, @length, @type, @min, @max, @sum, @avg, @keys, @values or @links.Type.property"
        )
      }
      try advance()
      path.tail = .aggregate(aggregate, try stepsOfElement(), at: start)
      return true
    }
    try advance()
    return true
  }

  /// Parses the path from each element to the aggregated value: `.age` in `dogs.@sum.age`.
  private mutating func stepsOfElement() throws -> [QuerySyntax.Path.Step] {
    var steps: [QuerySyntax.Path.Step] = []
    while true {
      if token.isSymbol("[") {
        steps.append(try part())
      } else if try skip(symbol: ".") {
        try addNames(to: &steps)
      } else {
        return steps
      }
    }
  }

  /// Parses a name. A name from an argument may consist of several names joined by dots.
  private mutating func addNames(to steps: inout [QuerySyntax.Path.Step]) throws {
    let start = token.start
    switch token.kind {
    // After a dot, every word is a name.
    case .word(let name), .name(let name): steps.append(.name(name, at: start))
    case .nextName:
      try checkOneKind(isNumbered: false)
      let argument = try argument(usage.inTurn, at: start)
      usage.inTurn += 1
      let parts = argument.text?.split(separator: ".", omittingEmptySubsequences: false) ?? []
      guard !parts.isEmpty, !parts.contains("") else {
        throw source.error(
          .invalidQuery,
          "The argument is not the name of a property.",
          at: start,
          found: argument.kind,
          expected: "a text"
        )
      }
      for part in parts { steps.append(.name(String(part), at: start)) }
    default: throw unexpected("the name of a property")
    }
    guard steps.count <= Self.longestPath else {
      throw source.error(
        "The path to the value has too many steps.",
        at: start,
        expected: "at most \(Self.longestPath)"
      )
    }
    try advance()
  }

  /// Parses the contents of brackets: the key of a map, or a part of an `AnyRealmValue`.
  private mutating func part() throws -> QuerySyntax.Path.Step {
    let start = token.start
    try advance()
    let step: QuerySyntax.Path.Step
    switch token.kind {
    case .symbol("*"):
      try advance()
      step = .parts(at: start)
    case .word(let word):
      guard let place = Self.place(named: word) else { throw unexpected(Self.partNames) }
      try advance()
      step = .index(place, at: start)
    case .nextName: step = try namedPart(at: start)
    case .string, .argument, .nextArgument, .nextFormatted, .number, .symbol("-"):
      let value = token
      switch try literal() {
      case .string(let key): step = .mapKey(key, at: start)
      case .integer(let index) where index >= -1 && index <= Int64(Int32.max):
        step = .index(Int(index), at: start)
      default:
        throw source.error(
          "The text of the query does not follow the grammar.",
          at: value.start,
          found: value.description(in: source),
          expected: Self.partNames
        )
      }
    default: throw unexpected(Self.partNames)
    }
    try expect("]")
    return step
  }

  private static let partNames =
    "the key of a map, a quoted string; for a value of any type also a list index, such as 0, or * for all"

  /// Parses a part by its name in Realm's notation, in which `#any` means all parts.
  private mutating func namedPart(at start: Int) throws -> QuerySyntax.Path.Step {
    try checkOneKind(isNumbered: false)
    let argument = try argument(usage.inTurn, at: start)
    usage.inTurn += 1
    guard let name = argument.text else {
      throw source.error(
        .invalidQuery,
        "The argument is not the name of a part.",
        at: start,
        found: argument.kind,
        expected: "a text"
      )
    }
    try advance()
    return name == "#any" ? .parts(at: start) : .mapKey(name, at: start)
  }

  private static func place(named word: String) -> Int? {
    switch word.uppercased() {
    case "FIRST": 0
    case "LAST": -1
    default: nil
    }
  }

  /// Parses `@links.Type.property`, an inverse that the type does not declare as a property.
  private mutating func addLinks(to path: inout QuerySyntax.Path) throws {
    let start = token.start
    try advance()
    var steps: [QuerySyntax.Path.Step] = []
    for _ in 0..<2 {
      try expect(".", "'.' and a name: @links.Type.property")
      try addNames(to: &steps)
    }
    let names = steps.compactMap { if case .name(let name, _) = $0 { name } else { nil } }
    path.steps.append(.name("@links." + names.joined(separator: "."), at: start))
  }
}
