import Fief
import Foundation

@testable import FiefCore

/// Conditions in one form, to compare what different front ends make: equal conditions may have several forms.
extension QueryCondition {
  var normalized: QueryCondition {
    switch self {
    case .not(let condition): condition.normalized.opposite
    case .all(let conditions): Self.joined(conditions, isAll: true)
    case .any(let conditions): Self.joined(conditions, isAll: false)
    case .comparison(let first, let comparison, let second, let options):
      Self.compared(first.normalized, comparison, second.normalized, options)
    case .oneOf(let operand, let values, let options):
      .oneOf(operand.normalized, values.map(\.normalized), options)
    case .quantified(.none, let collection, let condition):
      .not(.quantified(.any, collection, condition.normalized))
    case .quantified(let quantifier, let collection, let condition):
      .quantified(quantifier, collection, condition.normalized)
    case .constant, .matches, .within: self
    }
  }

  private var opposite: QueryCondition {
    switch self {
    case .not(let condition): condition
    case .constant(let value): .constant(!value)
    case .comparison(let first, .equal, let second, let options):
      .comparison(first, .notEqual, second, options)
    case .comparison(let first, .notEqual, let second, let options):
      .comparison(first, .equal, second, options)
    default: .not(self)
    }
  }

  private static func compared(
    _ first: QueryOperand,
    _ comparison: QueryComparison,
    _ second: QueryOperand,
    _ options: QueryTextOptions
  ) -> QueryCondition {
    if case .truth(let condition) = first, case .value(.bool(let value)) = second, comparison == .equal {
      return value ? condition : condition.opposite
    }
    return .comparison(first, comparison, second, options)
  }

  private static func joined(_ conditions: [QueryCondition], isAll: Bool) -> QueryCondition {
    var result: [QueryCondition] = []
    for condition in conditions.map(\.normalized) {
      switch condition {
      case .all(let inner) where isAll: result += inner
      case .any(let inner) where !isAll: result += inner
      default: result.append(condition)
      }
    }
    return result.count == 1 ? result[0] : isAll ? .all(result) : .any(result)
  }
}

extension QueryOperand {
  var normalized: QueryOperand {
    switch self {
    case .value(let value): .value(value.normalized)
    case .path, .aggregate, .typeName: self
    case .arithmetic(let first, let operation, let second):
      .arithmetic(first.normalized, operation, second.normalized)
    case .negative(let operand): .negative(operand.normalized)
    case .count(let collection, let condition): .count(collection, condition?.normalized)
    case .length(let operand): .length(operand.normalized)
    case .lowercased(let operand): .lowercased(operand.normalized)
    case .uppercased(let operand): .uppercased(operand.normalized)
    case .coalesced(let first, let second): .coalesced(first.normalized, second.normalized)
    case .conditional(let condition, let first, let second):
      .conditional(condition.normalized, first.normalized, second.normalized)
    case .truth(let condition): .truth(condition.normalized)
    }
  }
}

extension QueryValue {
  /// Equal numbers of different kinds are one.
  fileprivate var normalized: QueryValue {
    switch self {
    case .double(let value):
      if let integer = Int64(exactly: value) {
        .integer(integer)
      } else if value.isNaN {
        .string("NaN")
      } else {
        self
      }
    case .decimal(let value): Int64("\(value)").map { .integer($0) } ?? .double(Double("\(value)") ?? 0)
    default: self
    }
  }
}
