import LMDB

extension RecordWriter {
  /// Reserves row ids for a type in this transaction.
  ///
  /// - Returns: the reserved ids, valid when the transaction commits.
  func reserveRowIDs(_ count: Int64, for table: Table) throws -> Range<Int64> {
    let key = Array("rowid:\(table.entry.id)".utf8)
    return try key.withUnsafeBytes { key in
      var next: Int64 = 1
      if let stored = try transaction.get(tables.catalogueTree, key), stored.count == 8 {
        next = Int64(littleEndian: stored.loadUnaligned(as: Int64.self))
      }
      let end = next + count
      try withUnsafeBytes(of: end.littleEndian) { try transaction.put(tables.catalogueTree, key, $0) }
      return next..<end
    }
  }
}
