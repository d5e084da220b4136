import LMDB

/// A record, read in place in LMDB's page. It is valid only during the call that receives it.
package struct QueryRow {
  package let key: UnsafeRawBufferPointer
  package let view: RecordView
  /// The index of the record's layout in the table's `layouts`.
  let layout: Int
}

extension QueryRow {
  /// Creates a row of a table.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  @inline(__always)
  package init(key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer, of table: Table) throws(FiefError)
  {
    let layout = try table.layoutIndex(of: record)
    self.init(key: key, view: try RecordView(record, table.shapes + layout), layout: layout)
  }

  /// Returns the row with an equal key that is at another address.
  @inline(__always)
  func withKey(_ key: UnsafeRawBufferPointer) -> QueryRow { QueryRow(key: key, view: view, layout: layout) }
}

/// A condition whose columns are resolved.
///
/// It has buffers for intermediate results, so it is used by one run at a time, on one thread.
package class RowCondition {
  /// The approximate cost of evaluating the condition, in nanoseconds. The cheapest of several conditions is
  /// evaluated first.
  var cost: Int { 10 }
  /// The result, if it is the same for every row.
  var constant: Bool? { nil }

  func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool { true }

  /// Keeps the records of a block for which the condition holds.
  func select(_ block: inout RowBlock, in environment: QueryEnvironment) throws {
    // The block is noncopyable, and the caller must not read it while it changes.
    let (table, run) = (block.table, block.run)
    try block.keep { place in
      do {
        return try holds(QueryRow(key: run.key(place), record: run.value(place), of: table), in: environment)
      } catch {
        try environment.takeDamage(run.key(place), error)
        return false
      }
    }
  }
}

/// An operand whose columns are resolved. It is used by one run at a time, on one thread.
class RowOperand {
  /// The kind of the operand's values other than nil, or `nil` if the operand is always nil.
  let kind: ColumnType.Kind?
  /// The id of the type of the operand's objects.
  let target: UInt32

  init(kind: ColumnType.Kind?, target: UInt32 = 0) {
    self.kind = kind
    self.target = target
  }

  /// The approximate cost of computing the value, in nanoseconds.
  var cost: Int { 10 }
  /// The secret property from which the value comes, if any. Secret values cannot be ordered.
  var secret: RowColumn? { nil }
  /// The operand's value, if it is the same for every row.
  var constant: RowValue? { nil }
  /// The constant to use in a comparison with a decimal: a double literal becomes the decimal with the digits
  /// that were written.
  var writtenConstant: RowValue? { constant }

  /// Returns the operand's value for a row. The value may refer to the bytes of the record.
  func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue { .null }

  /// Returns the value, and the value to compare with a decimal. In the second value, double literals are the
  /// decimals that were written.
  func both(_ row: QueryRow, in environment: QueryEnvironment) throws -> (value: RowValue, written: RowValue)
  {
    let value = try evaluate(row, in: environment)
    return (value, value)
  }

  /// Returns the value if it is an integer that fits 64 bits, or `nil` otherwise.
  func integer(of row: QueryRow, in environment: QueryEnvironment) throws -> Int64? {
    guard case .integer(let value) = try evaluate(row, in: environment) else { return nil }
    return Int64(exactly: value)
  }

  /// Adds the integers of a block's records to a sum. Nil does not count.
  func add(_ block: borrowing RowBlock, to sum: inout IntegerSum, in environment: QueryEnvironment) throws {
    for index in 0..<block.count {
      guard let row = try block.row(block[index], in: environment, if: nil) else { continue }
      if let value = try integer(of: row, in: environment) { sum.add(value) }
    }
  }

  /// Returns a floating-point number, or a date in seconds. Returns `nil` for other values.
  func double(of row: QueryRow, in environment: QueryEnvironment) throws -> Double? {
    switch try evaluate(row, in: environment) {
    case .double(let value), .date(let value): value
    default: nil
    }
  }

  /// Returns the value as a copy.
  final func value(of row: QueryRow, in environment: QueryEnvironment) throws -> QueryValue {
    QueryValue(try evaluate(row, in: environment), tables: environment.tables)
  }
}
