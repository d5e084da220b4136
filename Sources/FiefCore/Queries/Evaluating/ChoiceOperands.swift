/// The first of two values that is not nil.
final class CoalescedOperand: RowOperand {
  private let first: RowOperand
  private let second: RowOperand

  init(_ first: RowOperand, _ second: RowOperand, kind: ColumnType.Kind?) {
    self.first = first
    self.second = second
    super.init(kind: kind, target: first.kind == nil ? second.target : first.target)
  }

  override var secret: RowColumn? { first.secret ?? second.secret }
  override var cost: Int { first.cost + second.cost }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    let value = try first.evaluate(row, in: environment)
    return value.isNull ? try second.evaluate(row, in: environment) : value
  }

  override func both(_ row: QueryRow, in environment: QueryEnvironment) throws -> (
    value: RowValue, written: RowValue
  ) {
    let found = try first.both(row, in: environment)
    return found.value.isNull ? try second.both(row, in: environment) : found
  }
}

/// One of two values, chosen by a condition.
final class ConditionalOperand: RowOperand {
  private let condition: RowCondition
  private let first: RowOperand
  private let second: RowOperand

  init(_ condition: RowCondition, _ first: RowOperand, _ second: RowOperand, kind: ColumnType.Kind?) {
    self.condition = condition
    self.first = first
    self.second = second
    super.init(kind: kind, target: first.kind == nil ? second.target : first.target)
  }

  override var secret: RowColumn? { first.secret ?? second.secret }
  override var cost: Int { condition.cost + max(first.cost, second.cost) }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    let holds = try condition.holds(row, in: environment)
    return try (holds ? first : second).evaluate(row, in: environment)
  }

  override func both(_ row: QueryRow, in environment: QueryEnvironment) throws -> (
    value: RowValue, written: RowValue
  ) {
    let holds = try condition.holds(row, in: environment)
    return try (holds ? first : second).both(row, in: environment)
  }
}

/// The result of a condition as a Boolean value.
final class TruthOperand: RowOperand {
  private let condition: RowCondition

  init(_ condition: RowCondition) {
    self.condition = condition
    super.init(kind: .bool)
  }

  override var cost: Int { condition.cost + 1 }
  override var constant: RowValue? { condition.constant.map { .bool($0) } }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    .bool(try condition.holds(row, in: environment))
  }
}
