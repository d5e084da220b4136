import Foundation

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    let operation: QueryArithmetic =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default:
        throw PredicateTranslator.error("Queries do not support this operator.", Self.self)
      }
    return .operand(.arithmetic(try translator.operand(lhs), operation, try translator.operand(rhs)))
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .operand(.arithmetic(try translator.operand(lhs), .divide, try translator.operand(rhs)))
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .operand(.arithmetic(try translator.operand(lhs), .divide, try translator.operand(rhs)))
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .operand(.arithmetic(try translator.operand(lhs), .remainder, try translator.operand(rhs)))
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    let operand = try translator.operand(wrapped)
    // The macro translates a negative literal to the negation of a positive literal.
    if case .value(let value) = operand, let negative = value.negative { return .operand(.value(negative)) }
    return .operand(.negative(operand))
  }
}

extension QueryValue {
  /// The negated number; `nil` if the value is not a number or cannot be negated.
  fileprivate var negative: QueryValue? {
    switch self {
    case .integer(let value): value == .min ? nil : .integer(-value)
    case .double(let value): .double(-value)
    case .decimal(let value): .decimal(-value)
    default: nil
    }
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .operand(
      .conditional(
        try translator.condition(test),
        try translator.operand(trueBranch),
        try translator.operand(falseBranch)
      )
    )
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm { try translator.term(inner) }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    let second = try translator.operand(rhs)
    switch try translator.operand(lhs) {
    case .conditional(let test, .truth(let condition), .value(.null)):
      return .operand(.conditional(test, .truth(condition), second))
    case let first: return .operand(.coalesced(first, second))
    }
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    let wrapped = try translator.operand(wrapped)
    translator.bind(variable.key, .operand(wrapped))
    switch try translator.term(transform) {
    case .operand(let operand):
      if operand.isNil(where: wrapped) { return .operand(operand) }
      let isThere = QueryCondition.comparison(wrapped, .notEqual, .value(.null))
      if case .conditional(let inner, let value, .value(.null)) = operand {
        let test = inner.isFalse(wherever: isThere) ? inner : .both(isThere, inner)
        return .operand(.conditional(test, value, .value(.null)))
      }
      return .operand(.conditional(isThere, operand, .value(.null)))
    case .collection(let collection, nil): return .collection(collection, nil)
    case .words(let path): return .words(path)
    default:
      throw PredicateTranslator.error("Queries do not support this use of an optional.", Self.self)
    }
  }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    try translator.cast(input, from: Input.Output.self, to: Desired.self)
  }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    try translator.cast(input, from: Input.Output.self, to: Desired.self)
  }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    if Input.Output.self == Desired.self { return .condition(.constant(true)) }
    let operand = try translator.cast(input, from: Input.Output.self, to: Desired.self)
    guard case .operand(let operand) = operand else {
      throw PredicateTranslator.error("Queries do not support this type check.", Self.self)
    }
    return .condition(.comparison(operand, .notEqual, .value(.null)))
  }
}

extension PredicateTranslator {
  /// Translates a cast. A store has one type for each property, so only casts from or to an optional are
  /// supported.
  fileprivate mutating func cast<Part>(_ part: Part, from: Any.Type, to: Any.Type) throws -> PredicateTerm {
    if from == to { return try term(part) }
    if let from = from as? any TracedOptional.Type, from.wrappedType == to { return try term(part) }
    if let to = to as? any TracedOptional.Type, to.wrappedType == from { return try term(part) }
    throw Self.error("Queries do not support this cast.", Part.self)
  }
}
