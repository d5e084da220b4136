/// A comparison of any two operands. Next to a value of any type that is a decimal, the doubles of literals are the decimals that they
/// are written as.
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
    var left = try first.evaluate(row, in: environment)
    var right = try second.evaluate(row, in: environment)
    if isOfAnyType {
      switch (left, right) {
      case (.decimal, .double): right = try second.written(row, in: environment)
      case (.double, .decimal): left = try first.written(row, in: environment)
      default: break
      }
    }
    return RowValue.holds(left, comparison, right)
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
