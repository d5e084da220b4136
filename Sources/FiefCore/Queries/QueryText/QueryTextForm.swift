/// Queries as text, for tools, tests and interactive use. The grammar is in the article QueryLanguage.md.
package enum QueryTextForm {
  /// The maximum length of a text in bytes.
  package static let largestSize = 1 << 20

  /// Parses the text of a query.
  ///
  /// - Parameters:
  ///   - text: a condition and clauses, or an empty text for all objects.
  ///   - arguments: the values of `%@`, `$0` and `%K`. The text must use all of them.
  ///   - areVariadic: whether the arguments come from a variadic parameter of `Any` that received some. Swift
  ///   passes an array of type `[Any]` as the arguments themselves: `filter("n IN %@", values)`. If the text
  ///   is invalid with such arguments, it is parsed again with the arguments as one list.
  ///   - type: the name of the type whose objects the query selects.
  ///   - schema: the known types.
  /// - Throws: ``FiefError`` of code `malformedQuery`, `unknownProperty`, `invalidQuery`.
  package static func parse(
    _ text: String,
    arguments: [QueryArgument] = [],
    areVariadic: Bool = false,
    type: String,
    schema: QueryTextSchema
  ) throws -> QueryDescription {
    let source = try source(text, type: type, schema: schema)
    func description(_ arguments: [QueryArgument]) throws -> QueryDescription {
      var parser = try QueryParser(source, arguments: arguments)
      return try QueryLowering(source, schema: schema).description(try parser.parse(), type: type)
    }
    do { return try description(arguments) } catch {
      guard areVariadic, let list = try? description([.list(arguments)]) else { throw error }
      return list
    }
  }

  /// Parses an operand. A path through collections remains a path.
  ///
  /// - Throws: ``FiefError`` of code `malformedQuery`, `unknownProperty`, `invalidQuery`.
  static func operand(_ text: String, type: String, schema: QueryTextSchema) throws -> QueryOperand {
    let source = try source(text, type: type, schema: schema)
    var parser = try QueryParser(source, arguments: [])
    let syntax = try parser.parseOperand()
    if case .path(let path) = syntax, path.tail == nil, case .names = path.root, path.quantifier == nil {
      let steps = path.steps.compactMap(\.plainStep)
      if steps.count == path.steps.count { return .path(QueryPath(steps: steps)) }
    }
    return try QueryLowering(source, schema: schema).operand(syntax, type: type)
  }

  private static func source(_ text: String, type: String, schema: QueryTextSchema) throws -> QuerySource {
    let source = QuerySource(text, store: schema.storeName, type: type)
    guard source.bytes.count <= largestSize else {
      throw FiefError(
        .malformedQuery,
        "The text of the query is too long.",
        store: schema.storeName,
        type: type,
        details: ["its length: \(source.bytes.count) bytes", "the limit: \(largestSize) bytes"]
      )
    }
    return source
  }
}

extension QuerySyntax.Path.Step {
  /// The step as part of a path through collections, or `nil` if it is not a plain step.
  fileprivate var plainStep: QueryPath.Step? {
    switch self {
    case .name(let name, _): .property(name)
    case .mapKey(let key, _): .mapKey(key)
    case .index(let index, _): .index(index)
    case .keys, .values, .parts: nil
    }
  }
}
