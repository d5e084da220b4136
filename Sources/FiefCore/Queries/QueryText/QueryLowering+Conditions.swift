extension QueryLowering {
  func condition(_ syntax: QuerySyntax, _ context: Context) throws -> QueryCondition {
    switch syntax {
    case .constant(let value), .value(.bool(let value)): return .constant(value)
    case .not(let inner): return .not(try condition(inner, context))
    // Nested conjunctions are flattened, as in closures and predicates. This is a loop because a text may
    // have very many parts.
    case .all(let parts):
      var all: [QueryCondition] = []
      for part in parts {
        let part = try condition(part, context)
        if case .all(let inner) = part { all += inner } else { all.append(part) }
      }
      return .all(all)
    case .any(let parts):
      var any: [QueryCondition] = []
      for part in parts {
        let part = try condition(part, context)
        if case .any(let inner) = part { any += inner } else { any.append(part) }
      }
      return .any(any)
    case .comparison(let left, let comparison, .embedded(let object, let start), let options, _)
    where comparison != .contains:
      return try self.embedded(object, comparison, left, options, at: start, context)
    case .comparison(.embedded(let object, let start), let comparison, let right, let options, _):
      return try self.embedded(object, comparison, right, options, at: start, context)
    case .comparison(let left, .contains, let right, let options, _):
      if case .path(let path) = left, path.tail == nil, path.quantifier == nil,
        let result = try element(of: path, equals: right, options, context)
      {
        return result
      }
      return try comparison(left, .contains, right, options, context)
    case .comparison(let left, let comparison, let right, let options, _):
      return try self.comparison(left, comparison, right, options, context)
    case .membership(let value, let list, let options, let start):
      return try membership(value, list, options, at: start, context)
    case .between(let value, let bounds, let options, let start):
      return try between(value, bounds, options, at: start, context)
    case .within(let place, let region, let start): return try within(place, region, at: start, context)
    case .matches(let text, let words, let start): return try matches(text, words, at: start, context)
    case .quantified(let quantifier, let path, let scope, let inner):
      return try quantifying([.collection(path)], context) { context in
        let (collection, inside) = try entering(path, scope, context)
        return .quantified(quantifier, collection, try condition(inner, inside))
      }
    default: return try truth(syntax, context)
    }
  }

  private func comparison(
    _ left: QuerySyntax,
    _ comparison: QueryComparison,
    _ right: QuerySyntax,
    _ options: QueryTextOptions,
    _ context: Context
  ) throws -> QueryCondition {
    try quantifying([.operand(left), .operand(right)], context) { context in
      let (first, second) = try operands(try lowered(left, context), try lowered(right, context))
      if case .typeName = first {
        return try typed(first, comparison, second, options, at: start(of: right))
      }
      if case .typeName = second {
        return try typed(second, comparison, first, options, at: start(of: left))
      }
      return .comparison(first, comparison, second, options)
    }
  }

  /// Returns the condition that an embedded object has the same values as another one, or the opposite
  /// condition.
  private func embedded(
    _ object: QueryEmbedded,
    _ comparison: QueryComparison,
    _ other: QuerySyntax,
    _ options: QueryTextOptions,
    at start: Int,
    _ context: Context
  ) throws -> QueryCondition {
    try quantifying([.operand(other)], context) { context in
      let (operand, type) = try self.operand(other, context)
      guard comparison == .equal || comparison == .notEqual, options.isEmpty, case .path(let path) = operand,
        type.map({ $0.kind == .embedded && $0.target == object.type }) ?? !schema.isKnown
      else {
        throw source.error(
          .invalidQuery,
          "An embedded object supports only == and != with its own class.",
          at: start,
          found:
            "an embedded object of \(object.type) and \(type.map { "a value of type \($0)" } ?? "a value")",
          expected: "a property of that class, == or !="
        )
      }
      let condition = object.condition(at: path)
      return comparison == .equal ? condition : .not(condition)
    }
  }

  /// Returns the condition for a Boolean property without a comparison.
  private func truth(_ syntax: QuerySyntax, _ context: Context) throws -> QueryCondition {
    try quantifying([.operand(syntax)], context) { context in
      let (operand, type) = try self.operand(syntax, context)
      let isTruth: Bool
      switch operand {
      case .path, .conditional, .coalesced: isTruth = type == nil || type?.kind == .bool || type?.kind == .any
      default: isTruth = false
      }
      guard isTruth else {
        throw source.error(
          .malformedQuery,
          "A condition is required, not a value.",
          at: start(of: syntax),
          expected: "a comparison such as name == 'Rex', or a Boolean property"
        )
      }
      return .comparison(operand, .equal, .value(.bool(true)))
    }
  }
}
