extension QueryCondition {
  /// Returns the condition with each of its values transformed.
  func mappingValues(_ transform: (QueryValue) throws -> QueryValue) rethrows -> QueryCondition {
    switch self {
    case .constant, .matches, .within: self
    case .not(let condition): .not(try condition.mappingValues(transform))
    case .all(let conditions): .all(try conditions.map { try $0.mappingValues(transform) })
    case .any(let conditions): .any(try conditions.map { try $0.mappingValues(transform) })
    case .comparison(let first, let comparison, let second, let options):
      .comparison(
        try first.mappingValues(transform),
        comparison,
        try second.mappingValues(transform),
        options
      )
    case .oneOf(let operand, let values, let options):
      .oneOf(try operand.mappingValues(transform), try values.map(transform), options)
    case .quantified(let quantifier, let collection, let condition):
      .quantified(quantifier, collection, try condition.mappingValues(transform))
    }
  }
}

extension QueryOperand {
  /// Returns the operand with each of its values transformed.
  func mappingValues(_ transform: (QueryValue) throws -> QueryValue) rethrows -> QueryOperand {
    switch self {
    case .path, .aggregate, .typeName: self
    case .value(let value): .value(try transform(value))
    case .arithmetic(let first, let operation, let second):
      .arithmetic(try first.mappingValues(transform), operation, try second.mappingValues(transform))
    case .negative(let operand): .negative(try operand.mappingValues(transform))
    case .count(let collection, let condition):
      .count(collection, try condition?.mappingValues(transform))
    case .length(let operand): .length(try operand.mappingValues(transform))
    case .lowercased(let operand): .lowercased(try operand.mappingValues(transform))
    case .uppercased(let operand): .uppercased(try operand.mappingValues(transform))
    case .coalesced(let first, let second):
      .coalesced(try first.mappingValues(transform), try second.mappingValues(transform))
    case .conditional(let condition, let first, let second):
      .conditional(
        try condition.mappingValues(transform),
        try first.mappingValues(transform),
        try second.mappingValues(transform)
      )
    case .truth(let condition): .truth(try condition.mappingValues(transform))
    }
  }
}
