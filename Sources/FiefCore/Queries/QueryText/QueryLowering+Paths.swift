extension QueryLowering {
  /// The end of a path.
  enum Destination {
    case value(QueryPath, ColumnType?)
    /// The length of a text or of data: `name.length`.
    case length(QueryPath)
    /// A collection, possibly followed by more steps.
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
        if let map = type, map.container != .map, !map.isAnyValue { throw noMap(map, at: start) }
        type?.container = .none
        type?.isOptional = true
        steps.append(.mapKey(key))
      case .index(let place, let start):
        if let list = type, !list.isAnyValue { throw noPlaces(list, at: start) }
        steps.append(.index(place))
      case .parts(let start):
        return try parts(of: way, type, at: start, next: index)
      case .keys(let start), .values(let start):
        if type?.isAnyValue == true {
          guard case .keys = step else { return try parts(of: way, type, at: start, next: index) }
          return .collection(QueryCollection(way, part: .keys), element: ColumnType(.string), next: index)
        }
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
        "The variable is not declared here.",
        at: path.start,
        found: "$\(name)",
        expected: known.isEmpty
          ? "a property; only SUBQUERY, ANY, ALL and NONE declare variables" : known.joined(separator: ", ")
      )
    }
    return scope
  }

  /// Returns the type of a property, or `nil` if it is unknown.
  func property(_ name: String, of owner: ColumnType?, at start: Int) throws -> ColumnType? {
    guard let owner, schema.isKnown else { return nil }
    guard let target = owner.target, owner.kind == .link || owner.kind == .embedded else {
      throw source.error(
        .unknownProperty,
        "The value has no properties.",
        at: start,
        found: "'\(name)' after a value of type \(owner)",
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

  /// Returns the elements of a collection, or of a list or dictionary in an `AnyRealmValue`: `[*]`.
  private func parts(of way: QueryPath, _ type: ColumnType?, at start: Int, next: Int) throws -> Destination {
    guard let type else {
      return .collection(QueryCollection(way, part: .parts), element: nil, next: next)
    }
    if type.isCollection { return .collection(QueryCollection(way), element: type.element, next: next) }
    guard type.isAnyValue else {
      throw source.error(
        .invalidQuery,
        "Only collections and values of any type have parts.",
        at: start,
        found: "a value of type \(type)",
        expected: "a list, a set, a map or a value of any type"
      )
    }
    return .collection(QueryCollection(way, part: .parts), element: ColumnType(.any), next: next)
  }

  private func noPlaces(_ type: ColumnType, at start: Int) -> FiefError {
    source.error(
      .invalidQuery,
      "Only lists in values of any type can be indexed.",
      at: start,
      found: "a value of type \(type)",
      expected: "a value of any type; use ANY, ALL or NONE for the elements of collections"
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
}
