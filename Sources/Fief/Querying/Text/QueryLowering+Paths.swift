extension QueryLowering {
  /// Where a path leads.
  enum Destination {
    case value(QueryPath, ColumnType?)
    /// A text or data whose length is meant: `name.length`.
    case length(QueryPath)
    /// A collection, perhaps with more steps behind it.
    case collection(QueryCollection, element: ColumnType?, next: Int)
  }

  func destination(_ path: QuerySyntax.Path, _ context: Context) throws -> Destination {
    let begun = context.begun[path.id]
    let scope = try begun?.scope ?? root(of: path, context)
    var type = context.scopes[scope].element
    var steps: [QueryPath.Step] = []
    var index = begun?.next ?? 0
    var way: QueryPath { QueryPath(scope: context.scopes.count - 1 - scope, steps: steps) }
    while index < path.steps.count {
      let step = path.steps[index]
      index += 1
      switch step {
      case .name("length", _) where isText(type) && index == path.steps.count && path.tail == nil:
        return .length(way)
      case .name(let name, let start):
        type = try property(name, of: type, at: start)
        steps.append(.property(name))
      case .mapKey(let key, let start):
        if let map = type, map.container != .map { throw noMap(map, at: start) }
        type?.container = .none
        type?.isOptional = true
        steps.append(.mapKey(key))
      case .keys(let start), .values(let start):
        if let map = type, map.container != .map { throw noMap(map, at: start) }
        var element = type
        element?.container = .none
        guard case .keys = step else {
          return .collection(QueryCollection(way), element: element, next: index)
        }
        return .collection(
          QueryCollection(way, part: .keys),
          element: type == nil ? nil : ColumnType(.string),
          next: index
        )
      }
      let isAssumed = !schema.isKnown && path.quantifier != nil && begun == nil
      guard type?.isCollection ?? isAssumed, !isPartOfMap(path.steps, at: index) else { continue }
      return .collection(QueryCollection(way), element: type?.element, next: index)
    }
    return .value(way, type)
  }

  private func isText(_ type: ColumnType?) -> Bool {
    type?.container == ColumnType.Container.none && (type?.kind == .string || type?.kind == .data)
  }

  private func isPartOfMap(_ steps: [QuerySyntax.Path.Step], at index: Int) -> Bool {
    guard index < steps.count else { return false }
    if case .name = steps[index] { return false }
    return true
  }

  private func root(of path: QuerySyntax.Path, _ context: Context) throws -> Int {
    guard case .variable(let name) = path.root else { return context.names }
    guard let scope = context.scopes.lastIndex(where: { $0.variable == name }) else {
      let known = context.scopes.compactMap(\.variable).map { "$" + $0 }
      throw source.error(
        .malformedQuery,
        "The variable stands for nothing here.",
        at: path.start,
        found: "$\(name)",
        expected: known.isEmpty
          ? "a property; only SUBQUERY, ANY, ALL and NONE declare variables" : known.joined(separator: ", ")
      )
    }
    return scope
  }

  /// The type of a property; nil where nothing is known.
  func property(_ name: String, of owner: ColumnType?, at start: Int) throws -> ColumnType? {
    guard let owner, schema.isKnown else { return nil }
    guard let target = owner.target, owner.kind == .link || owner.kind == .embedded else {
      throw source.error(
        .unknownProperty,
        "The value has no properties.",
        at: start,
        found: "'\(name)' behind a value of type \(owner)",
        property: name
      )
    }
    if let type = schema.property(name, target) { return type }
    let names = schema.names(target).map { QueryPrinter.name($0) }.joined(separator: ", ")
    throw source.error(
      .unknownProperty,
      "The type has no such property.",
      at: start,
      found: "'\(name)'",
      expected: "a property of \(target): \(names)",
      type: target,
      property: name
    )
  }

  private func noMap(_ type: ColumnType, at start: Int) -> FiefError {
    source.error(
      .invalidQuery,
      "Only maps have keys.",
      at: start,
      found: "a value of type \(type)",
      expected: "a map"
    )
  }

  /// Whether the last step of a path is a collection, whatever is on the way to it.
  func leadsToCollection(_ path: QuerySyntax.Path, _ context: Context) throws -> Bool {
    var context = context
    while case .collection(_, let element, let next) = try destination(path, context) {
      if next == path.steps.count { return true }
      context = try entering(element, at: path.start, context)
      context.begun[path.id] = (context.scopes.count - 1, next)
    }
    return false
  }

  /// A path to one value, all collections on the way being quantifiers already.
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

  /// A path to a collection, those on the way to it being quantifiers already.
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
}

extension ColumnType {
  var isCollection: Bool { container != .none || kind == .linkingObjects }

  /// What an element of a collection is.
  var element: ColumnType {
    if kind == .linkingObjects { return ColumnType(.link, target: target) }
    var element = self
    element.container = .none
    return element
  }
}
