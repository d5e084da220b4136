import Foundation

/// The meaning of a part of a `#Predicate`, relative to its position in the condition.
indirect enum PredicateTerm {
  case operand(QueryOperand)
  /// A collection of the model, and the condition on its elements.
  case collection(QueryCollection, QueryCondition?)
  /// An entry of a map, given by its value.
  case entry(QueryPath)
  /// Values captured from the application.
  case values([QueryValue])
  /// The values between two operands; a bound may be `nil`.
  case range(QueryOperand?, QueryOperand?, isClosed: Bool)
  /// The words of a property.
  case words(QueryPath)
  /// The order of two texts.
  case order(QueryOperand, QueryOperand, QueryTextOptions)
  /// Any other captured value.
  case other(Any)

  static func condition(_ condition: QueryCondition) -> PredicateTerm { .operand(.truth(condition)) }

  /// Returns the same term for use inside additional quantifiers.
  func shifted(by distance: Int) -> PredicateTerm {
    switch self {
    case .operand(let operand): .operand(operand.shifted(by: distance))
    case .collection(let collection, let condition):
      .collection(collection.shifted(by: distance), condition?.shifted(by: distance, above: 1))
    case .entry(let path): .entry(path.shifted(by: distance))
    case .range(let lower, let upper, let isClosed):
      .range(lower?.shifted(by: distance), upper?.shifted(by: distance), isClosed: isClosed)
    case .words(let path): .words(path.shifted(by: distance))
    case .order(let first, let second, let options):
      .order(first.shifted(by: distance), second.shifted(by: distance), options)
    case .values, .other: self
    }
  }
}

/// A translator from the expression of a `#Predicate` to a condition.
struct PredicateTranslator {
  private var variables: [PredicateExpressions.VariableID: (term: PredicateTerm, depth: Int)] = [:]
  private var depth = 0

  static func error(_ message: String, _ part: Any.Type) -> FiefError {
    FiefError(.invalidQuery, message, details: ["part of the predicate: \(part)"])
  }

  /// Returns the term for a part of the predicate.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for an unsupported part.
  mutating func term<Part>(_ part: Part) throws -> PredicateTerm {
    guard let part = part as? any TranslatableExpression else {
      throw Self.error("Queries do not support a part of the predicate.", Part.self)
    }
    return try part.term(&self)
  }

  /// Returns the operand for a part that must be a single value.
  mutating func operand<Part>(_ part: Part) throws -> QueryOperand {
    switch try term(part) {
    case .operand(let operand): return operand
    default: throw Self.error("A part of the predicate is not a comparable value.", Part.self)
    }
  }

  mutating func condition<Part>(_ part: Part) throws -> QueryCondition { try operand(part).condition }

  /// Returns the term for a variable.
  func term(of variable: PredicateExpressions.VariableID) throws -> PredicateTerm {
    guard let (term, depth) = variables[variable] else {
      throw FiefError(.invalidQuery, "A variable belongs to another predicate.")
    }
    return term.shifted(by: self.depth - depth)
  }

  mutating func bind(_ variable: PredicateExpressions.VariableID, _ term: PredicateTerm) {
    variables[variable] = (term, depth)
  }

  /// Returns the condition that a closure describes for an element of a collection.
  mutating func inside(
    _ variable: PredicateExpressions.VariableID,
    _ element: PredicateTerm,
    _ body: (inout PredicateTranslator) throws -> QueryCondition
  ) rethrows -> QueryCondition {
    depth += 1
    defer { depth -= 1 }
    bind(variable, element)
    return try body(&self)
  }
}

/// A part of a `#Predicate` that a query can express.
protocol TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm
}

extension QueryOperand {
  /// The condition that the operand's Boolean value is true; nil counts as false.
  var condition: QueryCondition {
    switch self {
    case .truth(let condition): condition
    case .value(.bool(let value)): .constant(value)
    case .value(.null): .constant(false)
    case .conditional(let test, let first, .value(.bool(false))),
      .conditional(let test, let first, .value(.null)):
      .both(first.condition.isFalse(wherever: test) ? nil : test, first.condition)
    case .conditional(let test, let first, .value(.bool(true))): .either(.not(test), first.condition)
    case .conditional(let test, .truth(let first), .truth(let second)):
      .any([.both(test, first), .both(.not(test), second)])
    default: .comparison(self, .equal, .value(.bool(true)))
    }
  }

  /// Whether this operand is always nil if another operand is nil.
  func isNil(where other: QueryOperand) -> Bool {
    if self == other { return true }
    switch self {
    case .path(let path):
      guard case .path(let start) = other else { return false }
      return path.scope == start.scope && path.steps.starts(with: start.steps)
    case .arithmetic(let first, _, let second):
      return first.isNil(where: other) || second.isNil(where: other)
    case .negative(let operand), .length(let operand), .lowercased(let operand), .uppercased(let operand):
      return operand.isNil(where: other)
    default: return false
    }
  }
}

extension QueryCondition {
  /// Whether the condition is false whenever `test` fails. `test` compares a value with nil.
  func isFalse(wherever test: QueryCondition) -> Bool {
    guard case .comparison(let tested, .notEqual, .value(.null), []) = test else { return false }
    switch self {
    case .comparison(let first, .notEqual, .value(.null), _): return first.isNil(where: tested)
    case .comparison(let first, let comparison, let second, _):
      guard comparison != .notEqual else { return false }
      if comparison == .equal {
        return first.isNil(where: tested) && second.isConstant
          || second.isNil(where: tested) && first.isConstant
      }
      return first.isNil(where: tested) || second.isNil(where: tested)
    case .oneOf(let operand, let values, _): return operand.isNil(where: tested) && !values.contains(.null)
    case .all(let conditions): return conditions.contains { $0.isFalse(wherever: test) }
    case .any(let conditions): return conditions.allSatisfy { $0.isFalse(wherever: test) }
    case .quantified(.any, let collection, _): return QueryOperand.path(collection.path).isNil(where: tested)
    case .matches(let path, _), .within(let path, _): return QueryOperand.path(path).isNil(where: tested)
    default: return false
    }
  }
}

extension QueryOperand {
  /// Whether the operand is a constant other than nil.
  fileprivate var isConstant: Bool {
    guard case .value(let value) = self else { return false }
    return value != .null
  }
}
