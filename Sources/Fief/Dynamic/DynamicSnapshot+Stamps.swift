import LMDB

/// The stamps by which one state of a store differs from another one.
extension DynamicSnapshot {
  /// The number of the commit that made this state; in a write, that of the commit it will be.
  package final var commit: UInt64 { transaction.id }

  /// Calls a closure with the key and a stamp of each object of a type, in the order of the keys.
  ///
  /// The stamp is another one, but by chance, where a property has another value. Nothing is copied: the key is valid
  /// for the length of the call.
  ///
  /// - Parameter columns: the names of the properties that count; nil for all.
  /// - Throws: what the closure throws; ``FiefError`` of code `unknownType`, `damagedRecord`.
  package final func forEachStamp(
    ofType typeName: String,
    columns: [String]?,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> Void
  ) throws {
    let (table, records) = try records(of: typeName)
    let stamper = RecordStamper(table, tables, columns: columns, in: transaction)
    try described {
      try prepareForReadingRecords()
      let cursor = try transaction.cursor(records)
      var found = try cursor.first()
      while found {
        try body(cursor.key, try stamper.stamp(of: cursor.value))
        found = try cursor.next()
      }
    }
  }
}

extension DynamicQuery {
  /// Calls a closure with the key and a stamp of each object, in the order of the query; see
  /// ``DynamicSnapshot/forEachStamp(ofType:columns:_:)``.
  package func forEachStamp(columns: [String]?, _ body: (UnsafeRawBufferPointer, UInt64) throws -> Void)
    throws
  {
    let stamper = RecordStamper(table, snapshot.tables, columns: columns, in: snapshot.transaction)
    try snapshot.described {
      let environment = try environment()
      try RowStream(try prepare(description)).read(in: environment) { row in
        try body(row.key, try stamper.stamp(of: row.view.bytes))
        return true
      }
    }
  }
}

extension DynamicObject {
  /// About how many bytes of memory the object takes.
  package var memory: Int { record.count + (key?.bytes.count ?? 0) + 160 }
}
