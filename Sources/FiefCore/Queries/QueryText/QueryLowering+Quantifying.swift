extension QueryLowering {
  /// A part of a condition that may contain paths through collections.
  enum Part {
    /// An operand whose paths must end in values.
    case operand(QuerySyntax)
    /// A path that ends in a collection.
    case collection(QuerySyntax.Path)
  }

  /// Wraps a quantifier around a condition for each path through a collection: the quantifier in the text, or
  /// ANY.
  ///
  /// If a path has several collections, the outer collection comes first. `NONE` of the outer collection
  /// becomes `ANY` of the inner collection, because no outer element may have a matching inner element.
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

  private struct CollectionStep {
    let path: QuerySyntax.Path
    let collection: QueryCollection
    let element: ColumnType?
    let next: Int
  }

  private func firstCollection(in parts: [Part], _ context: Context) throws -> CollectionStep? {
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

  private func firstCollection(in syntax: QuerySyntax, _ context: Context) throws -> CollectionStep? {
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
    // Conditions have their own quantifiers, and the elements of lists are handled separately.
    default: return nil
    }
  }

  private func collection(
    on path: QuerySyntax.Path,
    endsInCollection: Bool,
    _ context: Context
  ) throws -> CollectionStep? {
    guard case .collection(let collection, let element, let next) = try destination(path, context),
      !endsInCollection || next < path.steps.count
    else { return nil }
    return CollectionStep(path: path, collection: collection, element: element, next: next)
  }

  /// Whether `@count` follows a text and therefore counts characters rather than elements.
  func countsCharacters(_ path: QuerySyntax.Path, _ context: Context) throws -> Bool {
    guard schema.isKnown else { return false }
    return try !leadsToCollection(path, context)
  }
}
