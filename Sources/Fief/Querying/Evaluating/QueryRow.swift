import LMDB

/// A record at hand, in LMDB's page: valid for the length of the call that it is handed to.
struct QueryRow {
  let key: UnsafeRawBufferPointer
  let view: RecordView
  /// The place of its layout in the table's `layouts`.
  let layout: Int
}

/// What conditions need besides the record: the transaction, and the tables that links lead to.
///
/// One for each run of a query, on one thread.
final class QueryEnvironment {
  let tables: StoreTables
  let transaction: LMDB.Transaction
  /// Takes the key and the error of each damaged record, which is left out then; nil where such an error ends
  /// the run.
  var damage: ((UnsafeRawBufferPointer, FiefError) throws -> Void)?

  init(tables: StoreTables, transaction: LMDB.Transaction) {
    self.tables = tables
    self.transaction = transaction
  }
}

/// A condition that knows its columns.
class RowCondition {
  func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool { true }
}

/// An operand that knows its columns.
class RowOperand {
  /// What its values are, apart from nil.
  let kind: ColumnType.Kind?

  init(kind: ColumnType.Kind?) { self.kind = kind }

  func value(of row: QueryRow, in environment: QueryEnvironment) throws -> QueryValue { .null }
}
