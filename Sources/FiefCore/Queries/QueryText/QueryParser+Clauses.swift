extension QueryParser {
  /// Whether a clause begins at the current token.
  var isClause: Bool {
    guard let keyword = token.keyword, QueryKeyword.clauses.contains(keyword) else { return false }
    return (try? peek())?.isSymbol("(") == true
  }

  /// Parses `SORT(…) DISTINCT(…) OFFSET(…) LIMIT(…)`, in any order and each at most once.
  mutating func clauses() throws -> [QueryClause] {
    var clauses: [QueryClause] = []
    var seen: Set<String> = []
    while isClause, let keyword = token.keyword {
      // LIMIT and LAST both limit the number of objects, so only one of them is allowed.
      guard seen.insert(keyword == "LAST" ? "LIMIT" : keyword).inserted else {
        throw unexpected("each clause once, and LIMIT or LAST")
      }
      try advance()
      try expect("(")
      switch keyword {
      case "SORT":
        var orders = [try order()]
        while try skip(symbol: ",") { orders.append(try order()) }
        clauses.append(.sort(orders))
      case "DISTINCT":
        var paths = [try plainPath()]
        while try skip(symbol: ",") { paths.append(try plainPath()) }
        clauses.append(.distinct(paths))
      case "OFFSET": clauses.append(.offset(try quantity()))
      case "LAST": clauses.append(.limit(.last(try quantity())))
      default: clauses.append(.limit(.first(try quantity())))
      }
      try expect(")", "',' or ')'")
    }
    return clauses
  }

  private mutating func quantity() throws -> Int {
    let start = token.start
    let value: QueryValue
    switch try expression(.unary) {
    case .value(let given): value = given
    case .untyped(let text, _): value = Int64(text).map { .integer($0) } ?? .string(text)
    default: value = .null
    }
    guard case .integer(let number) = value, let count = Int(exactly: number), count >= 0 else {
      throw source.error(
        .malformedQuery,
        "The number of objects is invalid.",
        at: start,
        found: value.kindName,
        expected: "an integer of at least 0"
      )
    }
    return count
  }

  private mutating func plainPath() throws -> QuerySyntax.Path {
    let path = try wholePath()
    guard path.tail == nil else { throw unexpected("a property") }
    return path
  }

  /// Parses a sort key such as `name[c] DESC NULLS LAST LOCALE 'de'`.
  private mutating func order() throws -> QueryClause.Order {
    var order = QueryClause.Order()
    if token.kind == .attribute("relevance") {
      try advance()
    } else {
      order.path = try plainPath()
    }
    while true {
      switch token.keyword {
      case "ASC", "ASCENDING": order.ascending = true
      case "DESC", "DESCENDING": order.ascending = false
      case "NULLS", "NILS":
        try advance()
        switch token.keyword {
        case "FIRST": order.nils = .first
        case "LAST": order.nils = .last
        default: throw unexpected("FIRST or LAST")
        }
      case "LOCALE":
        try advance()
        guard case .string(let identifier) = token.kind else { throw unexpected("a locale such as 'de_DE'") }
        order.collation = .locale(identifier)
      default:
        let start = token
        let options = try textOptions()
        if options.isEmpty { return order }
        guard options == .caseInsensitive, order.path != nil else {
          throw source.error(
            "The text of the query does not follow the grammar.",
            at: start.start,
            expected: "[c], ASC, DESC, NULLS FIRST, NULLS LAST or LOCALE '…'"
          )
        }
        order.collation = .caseInsensitive
        continue
      }
      try advance()
    }
  }
}
