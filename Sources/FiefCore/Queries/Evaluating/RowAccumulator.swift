import Foundation

/// An aggregate of numbers or dates, one after another.
///
/// Nil and values of other kinds do not count. The sum of no values is 0, every other aggregate of none is nil.
/// A number that is not one makes a sum and an average the same, and is neither the least nor the greatest.
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
