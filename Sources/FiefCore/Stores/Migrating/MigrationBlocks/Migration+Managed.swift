import LMDB

extension Migration {
  /// Calls `body` with the records of the current stage, for the product that manages their types.
  ///
  /// - Throws: the error of `body`; ``FiefError`` of code `transactionEnded` after the block.
  package func reading<Value>(_ body: (RecordWriter) throws -> Value) throws -> Value {
    do {
      _ = try currentStage()
      return try body(writer)
    } catch {
      throw FiefError.described(error, store: configuration.name)
    }
  }

  /// Calls `body` with the writer of the current stage, for the product that manages the written types. A
  /// failure ends the migration, even if the block catches the error.
  ///
  /// - Throws: the error of `body`; ``FiefError`` of code `transactionEnded` after the block.
  package func writing<Value>(_ body: (RecordWriter) throws -> Value) throws -> Value {
    try reading { writer in
      changeCount &+= 1
      return try decisive { try body(writer) }
    }
  }
}
