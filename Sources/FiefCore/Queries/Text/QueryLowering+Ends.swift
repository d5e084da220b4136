// The required ends of paths: one value, or a collection.

extension QueryLowering {
  /// Whether the last step of a path is a collection, whatever the steps before it are.
  func leadsToCollection(_ path: QuerySyntax.Path, _ context: Context) throws -> Bool {
    var context = context
    while case .collection(_, let element, let next) = try destination(path, context) {
      if next == path.steps.count { return true }
      context = try entering(element, at: path.start, context)
      context.begun[path.id] = (context.scopes.count - 1, next)
    }
    return false
  }

  /// A path to one value, all collections on it being quantifiers already.
  func value(_ path: QuerySyntax.Path, _ context: Context) throws -> (path: QueryPath, type: ColumnType?) {
    guard case .value(let result, let type) = try destination(path, context) else {
      throw source.error(
        .invalidQuery,
        "One value of a property is needed.",
        at: path.start,
        expected: "a property with one value; not a collection, nor a length"
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
      expected: "a list, a set, a map or an inverse behind ANY, ALL or NONE"
    )
  }

  /// A path to a collection, those before it being quantifiers already.
  func collection(_ path: QuerySyntax.Path, _ context: Context) throws
    -> (collection: QueryCollection, element: ColumnType?)
  {
    switch try destination(path, context) {
    case .collection(let collection, let element, next: path.steps.count): return (collection, element)
    case .value(let value, nil): return (QueryCollection(value), nil)
    default:
      throw source.error(
        .invalidQuery,
        "A collection is needed.",
        at: path.start,
        found: "one value",
        expected: "a list, a set, a map or an inverse"
      )
    }
  }

  /// The collection that a condition is about, and the context inside of it: names belong to the element where it has
  /// no variable.
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
