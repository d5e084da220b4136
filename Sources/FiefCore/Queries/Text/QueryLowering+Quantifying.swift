extension QueryLowering {
  /// A part of a condition that may have paths through collections.
  enum Part {
    /// A value is needed at the end of the path.
    case operand(QuerySyntax)
    /// The end of the path is a collection itself.
    case collection(QuerySyntax.Path)
  }

  /// Makes each path through a collection a quantifier around the condition: that of the text, or ANY.
  ///
  /// The outer ones of several collections on one path come first; `NONE` of the outer is `ANY` of the inner,
  /// since none of them may have one.
  func quantifying(
    _ parts: [Part],
    _ context: Context,
    _ body: (Context) throws -> QueryCondition
  ) throws -> QueryCondition {
    guard let found = try firstCollection(in: parts, context) else { return try body(context) }
    let path = found.path
    var inner = try entering(found.element, at: path.start, context)
    inner.begun[path.id] = (inner.scopes.count - 1, found.next)
    var quantifier = path.quantifier ?? .any
    if quantifier == .none, context.begun[path.id] != nil { quantifier = .any }
    return .quantified(quantifier, found.collection, try quantifying(parts, inner, body))
  }

  private struct Found {
    let path: QuerySyntax.Path
    let collection: QueryCollection
    let element: ColumnType?
    let next: Int
  }

  private func firstCollection(in parts: [Part], _ context: Context) throws -> Found? {
    for part in parts {
      let found =
        switch part {
        case .operand(let syntax): try firstCollection(in: syntax, context)
        case .collection(let path): try collection(on: path, endsInCollection: true, context)
        }
      if let found { return found }
    }
    return nil
  }

  private func firstCollection(in syntax: QuerySyntax, _ context: Context) throws -> Found? {
    switch syntax {
    case .path(let path):
      switch path.tail {
      case .count where try countsCharacters(path, context):
        return try collection(on: path, endsInCollection: false, context)
      case .count, .aggregate: return try collection(on: path, endsInCollection: true, context)
      case .length, .type, nil: return try collection(on: path, endsInCollection: false, context)
      }
    case .count(let path, _, _): return try collection(on: path, endsInCollection: true, context)
    case .arithmetic(let left, _, let right), .coalesced(let left, let right),
      .conditional(_, let left, let right):
      return try firstCollection(in: left, context) ?? firstCollection(in: right, context)
    case .negative(let inner), .length(let inner), .lowercased(let inner), .uppercased(let inner):
      return try firstCollection(in: inner, context)
    // Conditions have quantifiers of their own, and elements of lists are parts themselves.
    default: return nil
    }
  }

  private func collection(
    on path: QuerySyntax.Path,
    endsInCollection: Bool,
    _ context: Context
  ) throws -> Found? {
    guard case .collection(let collection, let element, let next) = try destination(path, context),
      !endsInCollection || next < path.steps.count
    else { return nil }
    return Found(path: path, collection: collection, element: element, next: next)
  }

  /// Whether `@count` is behind a text, whose characters it counts then, and not behind a collection.
  func countsCharacters(_ path: QuerySyntax.Path, _ context: Context) throws -> Bool {
    guard schema.isKnown else { return false }
    return try !leadsToCollection(path, context)
  }
}
