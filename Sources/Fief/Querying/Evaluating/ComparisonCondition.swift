/// A comparison of any two operands.
final class ComparisonCondition: RowCondition {
  private let first: RowOperand
  private let comparison: QueryComparison
  private let second: RowOperand

  init(_ first: RowOperand, _ comparison: QueryComparison, _ second: RowOperand) {
    self.first = first
    self.comparison = comparison
    self.second = second
  }

  override var cost: Int { first.cost + second.cost + 5 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    RowValue.holds(
      try first.evaluate(row, in: environment),
      comparison,
      try second.evaluate(row, in: environment)
    )
  }
}

/// True or false for every row.
final class ConstantCondition: RowCondition {
  private let value: Bool

  init(_ value: Bool) { self.value = value }

  override var cost: Int { 0 }
  override var constant: Bool? { value }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool { value }
}
