import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .condition(.both(try translator.condition(lhs), try translator.condition(rhs)))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .condition(.either(try translator.condition(lhs), try translator.condition(rhs)))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .condition(.not(try translator.condition(wrapped)))
  }
}

extension PredicateExpressions.Equal: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    try translator.compared(lhs, .equal, rhs)
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    try translator.compared(lhs, .notEqual, rhs)
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    let comparison: QueryComparison =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default:
        throw PredicateTranslator.error("Queries do not support this comparison.", Self.self)
      }
    return .condition(
      .comparison(try translator.operand(lhs), comparison, try translator.operand(rhs))
    )
  }
}

extension PredicateTranslator {
  mutating func compared<First, Second>(
    _ first: First,
    _ comparison: QueryComparison,
    _ second: Second
  ) throws -> PredicateTerm {
    switch (try term(first), try term(second)) {
    case (.operand(let first), .operand(let second)):
      return .condition(QueryCondition(first, comparison, second))
    case (.order(let first, let second, let options), .other(let result as ComparisonResult)),
      (.other(let result as ComparisonResult), .order(let first, let second, let options)):
      return .condition(Self.ordered(first, comparison, result, second, options))
    default: throw Self.error("Two parts of the predicate cannot be compared.", First.self)
    }
  }

  private static func ordered(
    _ first: QueryOperand,
    _ comparison: QueryComparison,
    _ result: ComparisonResult,
    _ second: QueryOperand,
    _ options: QueryTextOptions
  ) -> QueryCondition {
    let order: QueryComparison =
      switch result {
      case .orderedAscending: .less
      case .orderedSame: .equal
      case .orderedDescending: .greater
      }
    let condition = QueryCondition.comparison(first, order, second, options)
    return comparison == .equal ? condition : .not(condition)
  }
}

extension QueryCondition {
  /// Creates a comparison for equality or inequality. If one operand is a condition and the other a truth
  /// value, the result is the condition or its negation.
  fileprivate init(_ first: QueryOperand, _ comparison: QueryComparison, _ second: QueryOperand) {
    switch (first, second) {
    case (.value(.bool), .truth), (.value(.bool), .conditional):
      self.init(second, comparison, first)
    case (.truth(let condition), .value(.bool(let value))):
      self = value == (comparison == .equal) ? condition : .not(condition)
    case (.conditional(_, _, .value(.null)), .value(.bool(true))):
      self = comparison == .equal ? first.condition : .not(first.condition)
    case (.conditional(let test, .truth(let inner), .value(.null)), .value(.bool(false))):
      let condition = QueryCondition.both(test, .not(inner))
      self = comparison == .equal ? condition : .not(condition)
    default: self = .comparison(first, comparison, second)
    }
  }
}
