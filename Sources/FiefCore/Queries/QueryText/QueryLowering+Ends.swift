// Paths that must end in a single value or in a collection.

extension QueryLowering {
  /// Whether the last step of a path is a collection, whatever the earlier steps are.
  func leadsToCollection(_ path: QuerySyntax.Path, _ context: Context) throws -> Bool {
    var context = context
    while case .collection(_, let element, let next) = try destination(path, context) {
      if next == path.steps.count { return true }
      context = try entering(element, at: path.start, context)
      context.begun[path.id] = (context.scopes.count - 1, next)
    }
    return false
  }

  /// Resolves a path to a single value. Collections on the path have already been replaced by quantifiers.
  func value(_ path: QuerySyntax.Path, _ context: Context) throws -> (path: QueryPath, type: ColumnType?) {
    guard case .value(let result, let type) = try destination(path, context) else {
      throw source.error(
        .invalidQuery,
        "A property with a single value is required.",
        at: path.start,
        expected: "a property with one value, not a collection or a length"
      )
    }
    try checkQuantifier(of: path, context)
    return (result, type)
  }

  func checkQuantifier(of path: QuerySyntax.Path, _ context: Context) throws {
    guard path.quantifier != nil, context.begun[path.id] == nil else { return }
    throw source.error(
      .invalidQuery,
      "A quantifier needs a collection.",
      at: path.start,
      found: "one value",
      expected: "a list, a set, a map or an inverse after ANY, ALL or NONE"
    )
  }

  /// Resolves a path to a collection. Earlier collections on the path have already been replaced by
  /// quantifiers.
  func collection(_ path: QuerySyntax.Path, _ context: Context) throws
    -> (collection: QueryCollection, element: ColumnType?)
  {
    switch try destination(path, context) {
    case .collection(let collection, let element, next: path.steps.count): return (collection, element)
    case .value(let value, nil): return (QueryCollection(value), nil)
    default:
      throw source.error(
        .invalidQuery,
        "A collection is required.",
        at: path.start,
        found: "one value",
        expected: "a list, a set, a map or an inverse"
      )
    }
  }

  /// Returns the collection of a condition and the context inside it. If the condition has no variable, names
  /// belong to the element.
  func entering(_ path: QuerySyntax.Path, _ scope: QuerySyntax.Scope?, _ context: Context) throws
    -> (collection: QueryCollection, inside: Context)
  {
    let (collection, element) = try self.collection(path, context)
    let inside = try entering(
      element,
      variable: scope?.variable,
      ownsNames: scope == nil,
      at: path.start,
      context
    )
    return (collection, inside)
  }
}
