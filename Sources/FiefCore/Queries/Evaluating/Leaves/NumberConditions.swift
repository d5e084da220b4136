import LMDB

/// The condition that an integer column is inside or outside a range.
final class IntegerRangeCondition: RowCondition {
  let column: RowColumn
  let interval: NumberInterval<Int64>
  private let range: IntegerRange

  private init(
    _ column: RowColumn,
    _ interval: NumberInterval<Int64>,
    _ range: ClosedRange<Int64>,
    _ isInside: Bool
  ) {
    self.column = column
    self.interval = interval
    self.range = IntegerRange(range, isInside: isInside)
  }

  static func make(_ column: RowColumn, _ interval: NumberInterval<Int64>) -> RowCondition {
    switch interval {
    case .none: ConstantCondition(false)
    case .all: ConstantCondition(true)
    case .within(let range): IntegerRangeCondition(column, interval, range, true)
    case .outside(let range): IntegerRangeCondition(column, interval, range, false)
    }
  }

  override var cost: Int { 3 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    // Nil is outside of every range, because it is unequal to every integer.
    guard let value = try column.integer(of: row) else { return !range.isInside }
    return range.holds(value)
  }

  override func select(_ block: inout RowBlock, in environment: QueryEnvironment) throws {
    guard let reader = column.integers else { return try super.select(&block, in: environment) }
    let (table, run) = (block.table, block.run)
    try block.keep(range, reader) { place in
      try environment.row(of: table, key: run.key(place), record: run.value(place), if: self) != nil
    }
  }
}

/// The condition that a column of floating-point numbers or dates is inside or outside a range.
final class DoubleRangeCondition: RowCondition {
  let column: RowColumn
  let interval: NumberInterval<Double>
  private let lower: Double
  private let upper: Double
  private let isInside: Bool

  private init(
    _ column: RowColumn,
    _ interval: NumberInterval<Double>,
    _ range: ClosedRange<Double>,
    _ isInside: Bool
  ) {
    self.column = column
    self.interval = interval
    self.isInside = isInside
    lower = range.lowerBound
    upper = range.upperBound
  }

  static func make(_ column: RowColumn, _ interval: NumberInterval<Double>) -> RowCondition {
    switch interval {
    case .none: ConstantCondition(false)
    case .all: ConstantCondition(true)
    case .within(let range): DoubleRangeCondition(column, interval, range, true)
    case .outside(let range): DoubleRangeCondition(column, interval, range, false)
    }
  }

  override var cost: Int { 3 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    guard let value = try column.double(of: row) else { return !isInside }
    return (value >= lower && value <= upper) == isInside
  }
}

/// A comparison of a Boolean column with a constant.
final class BoolCondition: RowCondition {
  private let column: RowColumn
  private let wanted: Bool
  private let isEqual: Bool

  /// - Parameter isEqual: whether the value must equal `wanted`; otherwise it must be different or nil.
  init(_ column: RowColumn, _ wanted: Bool, isEqual: Bool) {
    self.column = column
    self.wanted = wanted
    self.isEqual = isEqual
  }

  override var cost: Int { 2 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    guard case .bool(let value) = try column.value(of: row) else { return !isEqual }
    return (value == wanted) == isEqual
  }
}

/// The condition that a column is nil, or is not nil.
final class NilCondition: RowCondition {
  private let column: RowColumn
  private let isNil: Bool

  init(_ column: RowColumn, isNil: Bool) {
    self.column = column
    self.isNil = isNil
  }

  override var cost: Int { 2 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    try column.isNil(row) == isNil
  }
}
