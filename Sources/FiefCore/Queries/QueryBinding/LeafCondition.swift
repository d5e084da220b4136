/// Creates conditions that compare one column with a constant, the most common kind of condition.
enum LeafCondition {
  /// Returns the specialized condition. Returns `nil` if the column's kind has no specialized condition, so
  /// that the general comparison must be used.
  static func make(
    _ operand: RowOperand,
    _ comparison: QueryComparison,
    _ constant: RowValue,
    _ options: QueryTextOptions
  ) -> RowCondition? {
    if let followed = operand as? FollowedOperand {
      guard let condition = make(followed.operand, comparison, constant, options) else { return nil }
      let otherwise = RowValue.holds(.null, comparison, constant)
      return FollowedCondition(followed.source, condition, otherwise: otherwise)
    }
    guard let column = (operand as? ColumnOperand)?.column, column.column.type.container == .none else {
      return nil
    }
    return make(column, comparison, constant, options)
  }

  private static func make(
    _ column: RowColumn,
    _ comparison: QueryComparison,
    _ constant: RowValue,
    _ options: QueryTextOptions
  ) -> RowCondition? {
    let isOptional = column.column.type.isOptional || column.kind == .any
    switch (column.kind, constant) {
    case (_, .null):
      switch comparison {
      // Nothing is less than nil, so only nil is less than or equal to nil.
      case .equal, .lessOrEqual, .greaterOrEqual:
        return isOptional || column.mayBeMissing
          ? NilCondition(column, isNil: true) : ConstantCondition(false)
      case .notEqual:
        return isOptional || column.mayBeMissing
          ? NilCondition(column, isNil: false) : ConstantCondition(true)
      default: return ConstantCondition(false)
      }
    case (.int8, _), (.int16, _), (.int32, _), (.int64, _):
      return NumberInterval<Int64>(comparison, constant).map { IntegerRangeCondition.make(column, $0) }
    case (.float, _), (.double, _), (.date, _):
      return NumberInterval<Double>(comparison, constant).map { DoubleRangeCondition.make(column, $0) }
    case (.bool, .bool(let value)):
      return BoolCondition(column, value, isEqual: comparison == .equal)
    case (.string, .text(let bytes)): return TextCondition(column, comparison, bytes, options)
    case (.data, .data(let bytes)): return TextCondition(column, comparison, bytes, [])
    default: return nil
    }
  }

  /// Returns one condition that holds if both of two conditions hold, or `nil` if they cannot be merged.
  static func merged(_ first: RowCondition, _ second: RowCondition) -> RowCondition? {
    if let first = first as? IntegerRangeCondition, let second = second as? IntegerRangeCondition,
      first.column.isSame(as: second.column)
    {
      return first.interval.intersection(second.interval).map {
        IntegerRangeCondition.make(first.column, $0)
      }
    }
    if let first = first as? DoubleRangeCondition, let second = second as? DoubleRangeCondition,
      first.column.isSame(as: second.column)
    {
      return first.interval.intersection(second.interval).map { DoubleRangeCondition.make(first.column, $0) }
    }
    return FollowedCondition.merged(first, second)
  }
}
