import LMDB

extension RecordWriter {
  /// Reserves row ids for a type in this transaction.
  ///
  /// - Returns: The reserved ids. They are valid once the transaction commits.
  package func reserveRowIDs(_ count: Int64, for table: Table) throws -> Range<Int64> {
    let next = try Self.nextRowID(of: table, tree: tables.catalogueTree, in: transaction)
    // The counter has no checksum.
    let (end, isBeyond) = next.addingReportingOverflow(count)
    guard next > 0, !isBeyond else { throw Self.damagedCounter(of: table) }
    try Self.rowIDKey(of: table).withUnsafeBytes { key in
      try withUnsafeBytes(of: end.littleEndian) { try transaction.put(tables.catalogueTree, key, $0) }
    }
    return next..<end
  }

  /// Reserves specific row ids of a type, if neither they nor any later ids were reserved.
  ///
  /// - Returns: Whether the ids were reserved.
  func reserveRowIDs(from first: Int64, through last: Int64, for table: Table) throws -> Bool {
    let next = try Self.nextRowID(of: table, tree: tables.catalogueTree, in: transaction)
    guard next <= first else { return false }
    _ = try reserveRowIDs(last - next + 1, for: table)
    return true
  }

  private static func rowIDKey(of table: Table) -> [UInt8] { rowIDKey(ofTypeWithID: table.entry.id) }

  /// Returns the key of a type's counter in the catalogue's tree.
  static func rowIDKey(ofTypeWithID id: UInt32) -> [UInt8] { Array("rowid:\(id)".utf8) }

  /// Returns the smallest row id of a type that was never reserved.
  package static func nextRowID(of table: Table, tree: Database, in transaction: LMDB.Transaction) throws
    -> Int64
  {
    try rowIDKey(of: table).withUnsafeBytes { key in
      guard let stored = try transaction.get(tree, key) else { return 1 }
      // Starting at 1 again would let new objects overwrite existing ones.
      guard stored.count == 8 else { throw damagedCounter(of: table) }
      return Int64(littleEndian: stored.loadUnaligned(as: Int64.self))
    }
  }

  private static func damagedCounter(of table: Table) -> FiefError {
    FiefError(.damagedStore, "The counter of the type's row ids is damaged.", type: table.name)
  }
}
