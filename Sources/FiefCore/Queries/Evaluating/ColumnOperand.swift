import LMDB

/// The value of a column of the row itself.
final class ColumnOperand: RowOperand {
  let column: RowColumn

  init(_ column: RowColumn) {
    self.column = column
    super.init(kind: column.kind, target: column.target)
  }

  override var secret: RowColumn? { column.column.isSecret ? column : nil }
  override var cost: Int { column.kind == .decimal ? 40 : 4 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    try column.value(of: row)
  }

  override func integer(of row: QueryRow, in environment: QueryEnvironment) throws -> Int64? {
    guard column.kind.isInteger else { return try super.integer(of: row, in: environment) }
    return try column.integer(of: row)
  }

  override func add(
    _ block: borrowing RowBlock,
    to sum: inout IntegerSum,
    in environment: QueryEnvironment
  ) throws {
    guard let reader = column.integers else { return try super.add(block, to: &sum, in: environment) }
    let run = block.run
    var running = sum
    for index in 0..<block.count {
      let place = block[index]
      switch reader.read(run.value(place)) {
      case .integer(let value): running.add(value)
      case .null: continue
      case .other:
        guard let row = try block.row(place, in: environment, if: nil) else { continue }
        if let value = try column.integer(of: row) { running.add(value) }
      }
    }
    sum = running
  }

  override func double(of row: QueryRow, in environment: QueryEnvironment) throws -> Double? {
    switch column.kind {
    case .double, .float, .date: try column.double(of: row)
    default: try super.double(of: row, in: environment)
    }
  }
}

/// A value that is the same for every row.
final class ConstantOperand: RowOperand {
  private let value: RowValue
  private let storage: StableBytes?
  private lazy var valueAsWritten = Self.written(value)

  override var constant: RowValue? { value }
  override var writtenConstant: RowValue? { valueAsWritten }
  override var cost: Int { 1 }

  /// - Parameter storage: the owner of the value's bytes, if it has bytes.
  init(_ value: RowValue, kind: ColumnType.Kind?, target: UInt32 = 0, storage: StableBytes? = nil) {
    self.value = value
    self.storage = storage
    super.init(kind: kind, target: target)
  }

  /// Creates an operand for a number computed from literals.
  ///
  /// - Parameter written: the value to use if the other side is a decimal.
  convenience init(_ value: RowValue, written: RowValue, kind: ColumnType.Kind) {
    self.init(value, kind: kind)
    valueAsWritten = written
  }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue { value }

  override func both(_ row: QueryRow, in environment: QueryEnvironment) throws -> (
    value: RowValue, written: RowValue
  ) {
    (value, valueAsWritten)
  }

  private static func written(_ value: RowValue) -> RowValue {
    guard case .double(let number) = value, let decimal = ExactNumbers.written(number) else { return value }
    return .decimal(decimal)
  }
}
