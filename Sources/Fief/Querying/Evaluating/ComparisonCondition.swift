import Foundation

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

/// A comparison of a value of any type with a number: next to a decimal, the number is the decimal that it is written as.
final class NumberCondition: RowCondition {
  private let operand: RowOperand
  private let comparison: QueryComparison
  private let number: Double
  private let decimal: Decimal

  /// Returns nil unless the operand is a value of any type and the constant a double that a decimal can write.
  init?(_ operand: RowOperand, _ comparison: QueryComparison, _ constant: RowValue) {
    guard operand.kind == .any, case .double(let number) = constant,
      let decimal = ExactNumbers.written(number)
    else { return nil }
    self.operand = operand
    self.comparison = comparison
    self.number = number
    self.decimal = decimal
  }

  override var cost: Int { operand.cost + 5 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    let value = try operand.evaluate(row, in: environment)
    if case .decimal = value { return RowValue.holds(value, comparison, .decimal(decimal)) }
    return RowValue.holds(value, comparison, .double(number))
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
