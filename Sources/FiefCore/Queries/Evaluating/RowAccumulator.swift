import Foundation

/// Computes an aggregate of numbers or dates that are added one by one.
///
/// Nil and values of other kinds do not count. Without values the sum is 0, and every other aggregate is nil.
/// NaN makes a sum or an average NaN, and is neither the minimum nor the maximum.
struct RowAccumulator {
  let aggregate: QueryAggregate
  private var result: RowValue
  private var count = 0

  init(_ aggregate: QueryAggregate) {
    self.aggregate = aggregate
    result = aggregate == .sum || aggregate == .average ? .integer(0) : .null
  }

  mutating func add(_ value: RowValue) {
    switch value {
    case .integer, .double, .decimal, .date: break
    default: return
    }
    switch aggregate {
    case .sum, .average:
      result = RowArithmetic.value(result, .add, value)
      count += 1
    case .minimum: if isFirst || value.relation(to: result) == .less { replace(value) }
    case .maximum: if isFirst || value.relation(to: result) == .greater { replace(value) }
    }
  }

  private var isFirst: Bool { count == 0 }

  private mutating func replace(_ value: RowValue) {
    if value.relation(to: value) == .unrelated { return }
    result = value
    count += 1
  }

  var value: RowValue {
    guard aggregate == .average else { return result }
    guard count > 0 else { return .null }
    if case .integer(let sum) = result { return .double(Double(sum) / Double(count)) }
    return RowArithmetic.value(result, .divide, .integer(Int128(count)))
  }
}
