import LMDB

extension RecordWriter {
  /// Reserves row ids for a type in this transaction.
  ///
  /// - Returns: the reserved ids, valid when the transaction commits.
  func reserveRowIDs(_ count: Int64, for table: Table) throws -> Range<Int64> {
    let next = try Self.nextRowID(of: table, tree: tables.catalogueTree, in: transaction)
    let end = next + count
    try Self.rowIDKey(of: table).withUnsafeBytes { key in
      try withUnsafeBytes(of: end.littleEndian) { try transaction.put(tables.catalogueTree, key, $0) }
    }
    return next..<end
  }

  private static func rowIDKey(of table: Table) -> [UInt8] { Array("rowid:\(table.entry.id)".utf8) }

  /// The least row id of a type that was never reserved.
  static func nextRowID(of table: Table, tree: Database, in transaction: LMDB.Transaction) throws -> Int64 {
    try rowIDKey(of: table).withUnsafeBytes { key in
      guard let stored = try transaction.get(tree, key), stored.count == 8 else { return 1 }
      return Int64(littleEndian: stored.loadUnaligned(as: Int64.self))
    }
  }
}
