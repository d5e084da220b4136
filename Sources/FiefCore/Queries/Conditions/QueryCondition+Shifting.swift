// Moving conditions into other scopes: each quantifier around a condition moves the scope of its paths by
// one.

extension QueryPath {
  /// Returns the path for use inside additional quantifiers.
  ///
  /// - Parameters:
  ///   - distance: the number of additional quantifiers.
  ///   - inner: the number of quantifiers inside the shifted expression, whose scopes stay unchanged.
  package func shifted(by distance: Int, above inner: Int = 0) -> QueryPath {
    guard scope >= inner, distance != 0 else { return self }
    return QueryPath(scope: scope + distance, steps: steps)
  }
}

extension QueryCollection {
  /// Returns the collection for use inside additional quantifiers.
  package func shifted(by distance: Int, above inner: Int = 0) -> QueryCollection {
    QueryCollection(path.shifted(by: distance, above: inner), part: part)
  }
}

extension QueryCondition {
  /// Returns the condition for use inside additional quantifiers.
  package func shifted(by distance: Int, above inner: Int = 0) -> QueryCondition {
    guard distance != 0 else { return self }
    func shifted(_ operand: QueryOperand) -> QueryOperand { operand.shifted(by: distance, above: inner) }
    func shifted(_ condition: QueryCondition) -> QueryCondition {
      condition.shifted(by: distance, above: inner)
    }
    return switch self {
    case .constant: self
    case .not(let condition): .not(shifted(condition))
    case .all(let conditions): .all(conditions.map { shifted($0) })
    case .any(let conditions): .any(conditions.map { shifted($0) })
    case .comparison(let first, let comparison, let second, let options):
      .comparison(shifted(first), comparison, shifted(second), options)
    case .oneOf(let operand, let values, let options): .oneOf(shifted(operand), values, options)
    case .quantified(let quantifier, let collection, let condition):
      .quantified(
        quantifier,
        collection.shifted(by: distance, above: inner),
        condition.shifted(by: distance, above: inner + 1)
      )
    case .within(let path, let region): .within(path.shifted(by: distance, above: inner), region)
    case .matches(let path, let words): .matches(path.shifted(by: distance, above: inner), words)
    }
  }
}

extension QueryOperand {
  /// Returns the operand for use inside additional quantifiers.
  package func shifted(by distance: Int, above inner: Int = 0) -> QueryOperand {
    guard distance != 0 else { return self }
    func shifted(_ operand: QueryOperand) -> QueryOperand { operand.shifted(by: distance, above: inner) }
    return switch self {
    case .value: self
    case .path(let path): .path(path.shifted(by: distance, above: inner))
    case .arithmetic(let first, let operation, let second):
      .arithmetic(shifted(first), operation, shifted(second))
    case .negative(let operand): .negative(shifted(operand))
    case .count(let collection, let condition):
      .count(
        collection.shifted(by: distance, above: inner),
        condition?.shifted(by: distance, above: inner + 1)
      )
    // The path begins at the element, so its scope does not change.
    case .aggregate(let aggregate, let collection, let path):
      .aggregate(aggregate, collection.shifted(by: distance, above: inner), path)
    case .length(let operand): .length(shifted(operand))
    case .typeName(let path): .typeName(path.shifted(by: distance, above: inner))
    case .lowercased(let operand): .lowercased(shifted(operand))
    case .uppercased(let operand): .uppercased(shifted(operand))
    case .coalesced(let first, let second): .coalesced(shifted(first), shifted(second))
    case .conditional(let condition, let first, let second):
      .conditional(condition.shifted(by: distance, above: inner), shifted(first), shifted(second))
    case .truth(let condition): .truth(condition.shifted(by: distance, above: inner))
    }
  }
}
