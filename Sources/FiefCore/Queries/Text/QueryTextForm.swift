/// Queries as text: what tools, tests and people at a prompt write. The grammar is in docs/query-language.md.
package enum QueryTextForm {
  /// The longest text, in bytes.
  package static let largestSize = 1 << 20

  /// The query that a text describes.
  ///
  /// - Parameters:
  ///   - text: a condition and clauses; empty for everything.
  ///   - arguments: the values of `%@`, `$0` and `%K`, all of which the text has to use.
  ///   - areVariadic: whether the arguments come from a variadic parameter of `Any` that was given some. Swift passes an array of type `[Any]` as the
  ///     arguments themselves: `filter("n IN %@", values)`. If the text is invalid with such arguments, they are tried as one list.
  ///   - type: the name of the type whose objects are meant.
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

  /// The operand that a text describes; a path through collections remains a path through them.
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
        details: ["its length: \(source.bytes.count) bytes", "the longest: \(largestSize) bytes"]
      )
    }
    return source
  }
}

extension QuerySyntax.Path.Step {
  /// The step of a path that goes through collections; nil for the keys of a map.
  fileprivate var plainStep: QueryPath.Step? {
    switch self {
    case .name(let name, _): .property(name)
    case .mapKey(let key, _): .mapKey(key)
    case .index(let index, _): .index(index)
    case .keys, .values, .parts: nil
    }
  }
}
