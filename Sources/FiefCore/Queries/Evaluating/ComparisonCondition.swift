/// A comparison of any two operands. A decimal in an `AnyRealmValue` is compared with the digits of a number
/// in the query.
final class ComparisonCondition: RowCondition {
  private let first: RowOperand
  private let comparison: QueryComparison
  private let second: RowOperand
  private let isOfAnyType: Bool

  init(_ first: RowOperand, _ comparison: QueryComparison, _ second: RowOperand) {
    self.first = first
    self.comparison = comparison
    self.second = second
    isOfAnyType = first.kind == .any || second.kind == .any
  }

  override var cost: Int { first.cost + second.cost + 5 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    if !isOfAnyType {
      let left = try first.evaluate(row, in: environment)
      return RowValue.holds(left, comparison, try second.evaluate(row, in: environment))
    }
    let left = try first.both(row, in: environment)
    let right = try second.both(row, in: environment)
    switch (left.value, right.value) {
    case (.decimal, .double): return RowValue.holds(left.value, comparison, right.written)
    case (.double, .decimal): return RowValue.holds(left.written, comparison, right.value)
    default: return RowValue.holds(left.value, comparison, right.value)
    }
  }
}

/// A condition that has the same result for every row.
final class ConstantCondition: RowCondition {
  private let value: Bool

  init(_ value: Bool) { self.value = value }

  override var cost: Int { 0 }
  override var constant: Bool? { value }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool { value }
}
