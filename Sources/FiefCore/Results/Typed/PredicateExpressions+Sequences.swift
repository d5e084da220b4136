import Foundation

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .range(try translator.operand(lower), try translator.operand(upper), isClosed: true)
  }
}

extension PredicateExpressions.Range: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .range(try translator.operand(lower), try translator.operand(upper), isClosed: false)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    guard case .range(let lower, let upper, let isClosed) = try translator.term(range) else {
      throw PredicateTranslator.error("Queries do not support this range.", RangeExpression.self)
    }
    let element = try translator.operand(element)
    var conditions: [QueryCondition] = []
    if let lower { conditions.append(.comparison(element, .greaterOrEqual, lower)) }
    if let upper { conditions.append(.comparison(element, isClosed ? .lessOrEqual : .less, upper)) }
    return .condition(conditions.count == 1 ? conditions[0] : .all(conditions))
  }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    let sequence = try translator.term(sequence)
    let element = try translator.operand(element)
    switch (sequence, element) {
    case (.values(let values), _): return .condition(.oneOf(element, values))
    case (.collection(let collection, let filter), _):
      let isSame = QueryCondition.comparison(.path(.element), .equal, element.shifted(by: 1))
      return .condition(.quantified(.any, collection, .both(filter, isSame)))
    case (.words(let path), .value(.string(let words))): return .condition(.matches(path, words))
    case (.operand(let text), _): return .condition(.comparison(text, .contains, element))
    default:
      throw PredicateTranslator.error("Queries do not support this sequence.", LHS.self)
    }
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .condition(try translator.quantified(.any, sequence, variable.key, test))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .condition(try translator.quantified(.all, sequence, variable.key, test))
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    guard case .collection(let collection, let condition) = try translator.term(sequence) else {
      throw PredicateTranslator.error("Only an object's collection can be filtered.", LHS.self)
    }
    let element = PredicateTranslator.element(of: LHS.Output.self)
    let isIncluded = try translator.inside(variable.key, element) { try $0.condition(filter) }
    return .collection(collection, .both(condition, isIncluded))
  }
}

extension PredicateTranslator {
  /// Returns the term for an element of a sequence, for use in the closure that tests the elements.
  fileprivate static func element(of sequence: Any.Type) -> PredicateTerm {
    sequence is any _QueryableMap.Type ? .entry(.element) : .operand(.path(.element))
  }

  /// Returns the condition that any element or every element of a sequence meets the condition of a closure.
  fileprivate mutating func quantified<Elements: PredicateExpression, Test>(
    _ quantifier: QueryQuantifier,
    _ sequence: Elements,
    _ variable: PredicateExpressions.VariableID,
    _ test: Test
  ) throws -> QueryCondition {
    switch try term(sequence) {
    case .collection(let collection, let filter):
      let condition = try inside(variable, Self.element(of: Elements.Output.self)) { try $0.condition(test) }
      guard let filter else { return .quantified(quantifier, collection, condition) }
      let either = QueryCondition.either(.not(filter), condition)
      return .quantified(quantifier, collection, quantifier == .all ? either : .both(filter, condition))
    case .values(let values):
      var conditions: [QueryCondition] = []
      for value in values {
        bind(variable, .operand(.value(value)))
        conditions.append(try condition(test))
      }
      return quantifier == .all ? .all(conditions) : .any(conditions)
    default: throw Self.error("Queries do not support this sequence.", Elements.self)
    }
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    try translator.aggregated(.minimum, elements)
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    try translator.aggregated(.maximum, elements)
  }
}

extension PredicateTranslator {
  fileprivate mutating func aggregated<Elements>(
    _ aggregate: QueryAggregate,
    _ elements: Elements
  ) throws -> PredicateTerm {
    guard case .collection(let collection, nil) = try term(elements) else {
      throw Self.error("Only an object's collection supports aggregates.", Elements.self)
    }
    return .operand(.aggregate(aggregate, collection, nil))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .operand(try translator.value(of: key, in: wrapped))
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .operand(.coalesced(try translator.value(of: key, in: wrapped), try translator.operand(`default`)))
  }
}

extension PredicateTranslator {
  mutating func value<Key, Entries>(of key: Key, in map: Entries) throws -> QueryOperand {
    guard case .collection(let collection, nil) = try term(map),
      case .value(.string(let key)) = try operand(key)
    else { throw Self.error("Only a map with a constant key can be subscripted.", Entries.self) }
    return .path(QueryPath(scope: collection.path.scope, steps: collection.path.steps + [.mapKey(key)]))
  }
}
