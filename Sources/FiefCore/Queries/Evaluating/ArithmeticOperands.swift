/// An arithmetic operation on two numbers.
final class ArithmeticOperand: RowOperand {
  private let first: RowOperand
  private let operation: QueryArithmetic
  private let second: RowOperand

  init(_ first: RowOperand, _ operation: QueryArithmetic, _ second: RowOperand, kind: ColumnType.Kind?) {
    self.first = first
    self.operation = operation
    self.second = second
    super.init(kind: kind)
  }

  override var secret: RowColumn? { first.secret ?? second.secret }
  override var cost: Int { first.cost + second.cost + 4 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    RowArithmetic.value(
      try first.evaluate(row, in: environment),
      operation,
      try second.evaluate(row, in: environment)
    )
  }

  override func both(_ row: QueryRow, in environment: QueryEnvironment) throws -> (
    value: RowValue, written: RowValue
  ) {
    let left = try first.both(row, in: environment)
    let right = try second.both(row, in: environment)
    return (
      RowArithmetic.value(left.value, operation, right.value),
      RowArithmetic.value(left.written, operation, right.written)
    )
  }
}

/// The negative of a number.
final class NegativeOperand: RowOperand {
  private let operand: RowOperand

  init(_ operand: RowOperand) {
    self.operand = operand
    super.init(kind: operand.kind)
  }

  override var secret: RowColumn? { operand.secret }
  override var cost: Int { operand.cost + 2 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    RowArithmetic.negative(try operand.evaluate(row, in: environment))
  }

  override func both(_ row: QueryRow, in environment: QueryEnvironment) throws -> (
    value: RowValue, written: RowValue
  ) {
    let (value, written) = try operand.both(row, in: environment)
    return (RowArithmetic.negative(value), RowArithmetic.negative(written))
  }
}
