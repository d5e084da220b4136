extension QueryLowering {
  func membership(
    _ value: QuerySyntax,
    _ list: QuerySyntax,
    _ options: QueryTextOptions,
    at start: Int,
    _ context: Context
  ) throws -> QueryCondition {
    switch list {
    case .list(let elements, let place)
    where elements.contains { if case .embedded = $0 { true } else { false } }:
      return .any(
        try elements.map { try condition(.comparison(value, .equal, $0, options, at: place), context) }
      )
    case .list(let elements, _):
      return try quantifying([.operand(value)] + elements.map { .operand($0) }, context) { context in
        let value = try lowered(value, context)
        let elements = try elements.map { try lowered($0, context) }
        if case .typeName = value.operand {
          let names = try elements.flatMap {
            try typeNames(try operand($0, for: value.type), options, at: start)
          }
          return typed(value.operand, .equal, names)
        }
        let pairs = try elements.map { try operands(value, $0) }
        let values = pairs.compactMap { if case .value(let value) = $0.1 { value } else { nil } }
        if values.count == elements.count,
          zip(elements, pairs).allSatisfy({ !value.takes($0.type) || $1.0 == value.operand })
        {
          return .oneOf(value.operand, values, options)
        }
        let equal = pairs.map { QueryCondition.comparison($0, .equal, $1, options) }
        return equal.count == 1 ? equal[0] : .any(equal)
      }
    case .region: return try within(value, list, at: start, context)
    case .range: return try between(value, list, options, at: start, context)
    case .path(let path) where path.tail == nil:
      return try quantifying([.operand(value)], context) { context in
        guard let result = try element(of: path, equals: value, options, context) else {
          throw source.error(
            .invalidQuery,
            "IN needs a list of values.",
            at: path.start,
            expected: "a list such as {1, 2}, a list argument, or a collection property"
          )
        }
        return result
      }
    default:
      throw source.error(
        .malformedQuery,
        "IN needs a list of values.",
        at: start,
        expected: "a list such as {1, 2}, a list argument, or a collection property"
      )
    }
  }

  /// Returns the condition that a value is among the elements of a collection, or `nil` if the path does not
  /// lead to a collection.
  func element(
    of path: QuerySyntax.Path,
    equals value: QuerySyntax,
    _ options: QueryTextOptions,
    _ context: Context
  ) throws -> QueryCondition? {
    guard schema.isKnown, try leadsToCollection(path, context) else { return nil }
    return try quantifying([.collection(path), .operand(value)], context) { context in
      let (collection, element) = try self.collection(path, context)
      let inside = try entering(element, at: path.start, context)
      if case .embedded(let object, _) = value {
        return .quantified(.any, collection, object.condition(at: .element))
      }
      let member = LoweredOperand(syntax: .path(path), operand: .path(.element), type: element)
      let operand = try self.operand(try lowered(value, inside), beside: member)
      return .quantified(.any, collection, .comparison(.path(.element), .equal, operand, options))
    }
  }

  func between(
    _ value: QuerySyntax,
    _ bounds: QuerySyntax,
    _ options: QueryTextOptions,
    at start: Int,
    _ context: Context
  ) throws -> QueryCondition {
    let list: [QuerySyntax]
    switch bounds {
    case .list(let elements, _) where elements.count == 2: list = elements
    case .range(let lower, let upper, _): list = [.value(lower), .value(upper)]
    default:
      throw source.error(
        .malformedQuery,
        "BETWEEN needs two values.",
        at: start,
        expected: "a list of the minimum and the maximum such as {1, 5}, or such an argument"
      )
    }
    return try quantifying([.operand(value)] + list.map { .operand($0) }, context) { context in
      let value = try lowered(value, context)
      let (first, lower) = try operands(value, try lowered(list[0], context))
      let (second, upper) = try operands(value, try lowered(list[1], context))
      return .all([
        .comparison(first, .greaterOrEqual, lower, options),
        .comparison(second, .lessOrEqual, upper, options),
      ])
    }
  }

  func within(_ place: QuerySyntax, _ region: QuerySyntax, at start: Int, _ context: Context) throws
    -> QueryCondition
  {
    guard case .path(let path) = place, path.tail == nil, case .region(let region, _) = region else {
      throw source.error(
        .malformedQuery,
        "GEOWITHIN needs a property and a region.",
        at: start,
        expected: "an embedded object before it, and a region argument or geoBox(…) after it"
      )
    }
    try region.check()
    return try quantifying([.operand(place)], context) { .within(try value(path, $0).path, region) }
  }

  func matches(
    _ text: QuerySyntax,
    _ words: QuerySyntax,
    at start: Int,
    _ context: Context
  ) throws -> QueryCondition {
    let wanted: String
    switch words {
    case .value(.string(let text)), .untyped(let text, _): wanted = text
    default:
      throw source.error(.malformedQuery, "MATCHES needs words.", at: start, expected: "a string after it")
    }
    guard case .path(let path) = text, path.tail == nil else {
      throw source.error(
        .malformedQuery,
        "MATCHES needs a property.",
        at: start,
        expected: "a property with a full-text index before it"
      )
    }
    return try quantifying([.operand(text)], context) { .matches(try value(path, $0).path, wanted) }
  }
}
