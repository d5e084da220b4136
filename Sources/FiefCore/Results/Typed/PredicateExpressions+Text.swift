import Foundation

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .condition(.comparison(try translator.operand(base), .contains, try translator.operand(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .condition(.comparison(try translator.operand(base), .beginsWith, try translator.operand(prefix)))
  }
}

extension PredicateTranslator {
  /// Returns a test for whether a text contains another text, ignoring case and accents. The result is the
  /// same in every locale.
  mutating func containsStandard<Text, Other>(_ text: Text, _ other: Other) throws -> PredicateTerm {
    let options: QueryTextOptions = [.caseInsensitive, .diacriticInsensitive]
    return .condition(.comparison(try operand(text), .contains, try operand(other), options))
  }
}

#if canImport(Darwin)
  extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
    func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
      try translator.containsStandard(root, other)
    }
  }

  extension PredicateExpressions.StringCaseInsensitiveCompare: TranslatableExpression {
    func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
      .order(try translator.operand(root), try translator.operand(other), .caseInsensitive)
    }
  }

  extension PredicateExpressions.PredicateEvaluate: TranslatableExpression {
    func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
      guard case .other(let predicate as any TranslatablePredicate) = try translator.term(predicate) else {
        throw PredicateTranslator.error("Queries do not support this predicate.", Condition.self)
      }
      var inputs: [PredicateTerm] = []
      for input in repeat each input { inputs.append(try translator.term(input)) }
      return try predicate.term(of: inputs, &translator)
    }
  }
#endif

/// A predicate with any input types.
protocol TranslatablePredicate {
  func term(of inputs: [PredicateTerm], _ translator: inout PredicateTranslator) throws -> PredicateTerm
}

extension Predicate: TranslatablePredicate {
  func term(of inputs: [PredicateTerm], _ translator: inout PredicateTranslator) throws -> PredicateTerm {
    var rest = inputs.makeIterator()
    for variable in repeat each variable {
      if let input = rest.next() { translator.bind(variable.key, input) }
    }
    return try translator.term(expression)
  }
}

extension Predicate {
  /// Returns the predicate as a query condition.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the predicate contains an expression that a store
  ///   cannot evaluate.
  package func queryCondition() throws -> QueryCondition {
    var translator = PredicateTranslator()
    guard case .operand(let operand) = try term(of: [.operand(.path(.element))], &translator) else {
      throw FiefError(.invalidQuery, "The predicate is not a condition.")
    }
    return operand.condition
  }
}
