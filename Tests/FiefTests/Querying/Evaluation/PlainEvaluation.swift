import Fief
import Foundation

@testable import FiefCore

/// Conditions on plain values, evaluated in the simplest way.
struct PlainEvaluation {
  /// The subjects of the scopes, the innermost at the end.
  private var scopes: [PlainValue]

  init(_ object: PlainObject) { scopes = [.object(object)] }

  func holds(_ condition: QueryCondition) -> Bool {
    switch condition {
    case .constant(let value): return value
    case .not(let condition): return !holds(condition)
    case .all(let conditions): return conditions.allSatisfy { holds($0) }
    case .any(let conditions): return conditions.contains { holds($0) }
    case .comparison(let first, let comparison, let second, let options):
      return Self.compare(value(first), comparison, value(second), options)
    case .oneOf(let operand, let values, let options):
      return values.contains { Self.compare(value(operand), .equal, .scalar($0), options) }
    case .quantified(let quantifier, let collection, let condition):
      let results = elements(collection).map { inside($0).holds(condition) }
      switch quantifier {
      case .any: return results.contains(true)
      case .all: return !results.contains(false)
      case .none: return !results.contains(true)
      }
    case .matches, .within: return false
    }
  }

  private func inside(_ element: PlainValue) -> PlainEvaluation {
    var inner = self
    inner.scopes.append(element)
    return inner
  }

  private func elements(_ collection: QueryCollection) -> [PlainValue] {
    switch value(.path(collection.path)) {
    case .list(let elements): elements
    case .map(let entries): entries.map { collection.part == .keys ? PlainValue($0.0) : $0.1 }
    default: []
    }
  }

  func value(_ operand: QueryOperand) -> PlainValue {
    switch operand {
    case .value(let value): return .scalar(value)
    case .path(let path):
      var value = scopes[scopes.count - 1 - path.scope]
      for step in path.steps {
        switch (step, value) {
        case (.property(let name), .object(let object)): value = object.values[name] ?? .null
        case (.mapKey(let key), .map(let entries)):
          value = entries.first { $0.0 == key }?.1 ?? .null
        default: return .null
        }
      }
      return value
    case .arithmetic(let first, let operation, let second):
      return Self.calculate(value(first), operation, value(second))
    case .negative(let operand): return Self.calculate(PlainValue(0), .subtract, value(operand))
    case .count(let collection, let condition):
      let elements = elements(collection)
      guard let condition else { return PlainValue(elements.count) }
      return PlainValue(elements.filter { inside($0).holds(condition) }.count)
    case .aggregate(let aggregate, let collection, let path):
      return Self.aggregate(aggregate, elements(collection).map { inside($0).value(.path(path ?? .element)) })
    case .length(let operand):
      switch value(operand) {
      case .scalar(.string(let text)): return PlainValue(text.count)
      case .scalar(.data(let bytes)): return PlainValue(bytes.count)
      default: return .null
      }
    // The objects here have no values of any type.
    case .typeName: return .null
    case .lowercased(let operand): return cased(operand) { $0.lowercased() }
    case .uppercased(let operand): return cased(operand) { $0.uppercased() }
    case .coalesced(let first, let second):
      if case .scalar(.null) = value(first) { return value(second) }
      return value(first)
    case .conditional(let condition, let first, let second): return value(holds(condition) ? first : second)
    case .truth(let condition): return .scalar(.bool(holds(condition)))
    }
  }

  private func cased(_ operand: QueryOperand, _ body: (String) -> String) -> PlainValue {
    guard case .scalar(.string(let text)) = value(operand) else { return .null }
    return PlainValue(body(text))
  }

  private static func aggregate(_ aggregate: QueryAggregate, _ elements: [PlainValue]) -> PlainValue {
    let numbers = elements.filter { if case .scalar(.null) = $0 { false } else { true } }
    let sum = numbers.reduce(PlainValue(0)) { calculate($0, .add, $1) }
    switch aggregate {
    case .sum: return sum
    case .average:
      if numbers.isEmpty { return .null }
      return calculate(calculate(sum, .multiply, PlainValue(1.0)), .divide, PlainValue(numbers.count))
    case .minimum:
      return numbers.first { value in numbers.allSatisfy { compare(value, .lessOrEqual, $0, []) } } ?? .null
    case .maximum:
      return numbers.first { value in numbers.allSatisfy { compare(value, .greaterOrEqual, $0, []) } }
        ?? .null
    }
  }
}
