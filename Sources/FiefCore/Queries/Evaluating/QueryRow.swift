import LMDB

/// A record at hand, in LMDB's page: valid for the length of the call that it is handed to.
package struct QueryRow {
  package let key: UnsafeRawBufferPointer
  package let view: RecordView
  /// The place of its layout in the table's `layouts`.
  let layout: Int
}

extension QueryRow {
  /// A row of a table.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  @inline(__always)
  package init(key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer, of table: Table) throws(FiefError)
  {
    let layout = try table.layoutIndex(of: record)
    self.init(key: key, view: try RecordView(record, table.shapes + layout), layout: layout)
  }

  /// The row with the same key at another place in memory.
  @inline(__always)
  func withKey(_ key: UnsafeRawBufferPointer) -> QueryRow { QueryRow(key: key, view: view, layout: layout) }
}

/// A condition that knows its columns.
///
/// It has buffers for its intermediate results, so that it belongs to one run at a time, on one thread.
package class RowCondition {
  /// The cost of evaluating the condition, in about nanoseconds: of several, the cheap ones are evaluated first.
  var cost: Int { 10 }
  /// The result for every row, where it is the same for all.
  var constant: Bool? { nil }

  func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool { true }

  /// Keeps those records of a block for which it holds.
  func select(_ block: inout RowBlock, in environment: QueryEnvironment) throws {
    // The block is not copied, and the caller may not read it while it changes.
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

/// An operand that knows its columns. It belongs to one run at a time, on one thread.
class RowOperand {
  /// The kind of the operand's values, apart from nil; nil where it is nil always.
  let kind: ColumnType.Kind?
  /// The number of the type of its objects.
  let target: UInt32

  init(kind: ColumnType.Kind?, target: UInt32 = 0) {
    self.kind = kind
    self.target = target
  }

  /// The cost of computing the value, in about nanoseconds.
  var cost: Int { 10 }
  /// The secret property whose value it is, or is made from; it has no order. Nil for others.
  var secret: RowColumn? { nil }
  /// The operand's value, where it is the same for every row.
  var constant: RowValue? { nil }
  /// The constant to compare with a decimal: double literals become the decimals that were written.
  var writtenConstant: RowValue? { constant }

  /// The value, in place.
  func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue { .null }

  /// The value, and the value to compare with a decimal: there, double literals become the decimals that were written.
  func both(_ row: QueryRow, in environment: QueryEnvironment) throws -> (value: RowValue, written: RowValue)
  {
    let value = try evaluate(row, in: environment)
    return (value, value)
  }

  /// The value of an integer that fits 64 bits; nil for everything else.
  func integer(of row: QueryRow, in environment: QueryEnvironment) throws -> Int64? {
    guard case .integer(let value) = try evaluate(row, in: environment) else { return nil }
    return Int64(exactly: value)
  }

  /// Adds the integers of a block's records up; nil does not count.
  func add(_ block: borrowing RowBlock, to sum: inout IntegerSum, in environment: QueryEnvironment) throws {
    for index in 0..<block.count {
      guard let row = try block.row(block[index], in: environment, if: nil) else { continue }
      if let value = try integer(of: row, in: environment) { sum.add(value) }
    }
  }

  /// The value of a floating-point number, in seconds that of a date; nil for everything else.
  func double(of row: QueryRow, in environment: QueryEnvironment) throws -> Double? {
    switch try evaluate(row, in: environment) {
    case .double(let value), .date(let value): value
    default: nil
    }
  }

  /// The value.
  final func value(of row: QueryRow, in environment: QueryEnvironment) throws -> QueryValue {
    QueryValue(try evaluate(row, in: environment), tables: environment.tables)
  }
}
