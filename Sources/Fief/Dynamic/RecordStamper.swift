import LMDB

/// Stamps that show whether records have changed, without keeping them.
struct RecordStamper {
  private let table: Table
  private let tables: StoreTables
  private let transaction: LMDB.Transaction
  /// The columns that count; nil for all.
  private let columns: [ColumnEntry]?

  /// - Parameter names: the names of the properties that count; nil for all.
  init(_ table: Table, _ tables: StoreTables, columns names: [String]?, in transaction: LMDB.Transaction) {
    self.table = table
    self.tables = tables
    self.transaction = transaction
    // Columns of the key are the same for as long as the key is.
    columns = names?.compactMap { name in
      table.entry.column(named: name).flatMap {
        $0.type.isStored && !table.entry.primaryKey.contains($0.id) ? $0 : nil
      }
    }
  }

  /// A number that is another one, but by chance, where a property that counts has another value.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  func stamp(of record: UnsafeRawBufferPointer) throws -> UInt64 {
    // A large collection is not in the record, whose checksum says nothing of its elements.
    let whole = try RecordEditor.expanded(record, table, tables, in: transaction)
    return try whole?.withUnsafeBytes { try stamp(ofWhole: $0) } ?? stamp(ofWhole: record)
  }

  private func stamp(ofWhole record: UnsafeRawBufferPointer) throws -> UInt64 {
    guard let columns else { return StableHash.hash(record) }
    let view = try table.view(record)
    var hash: UInt64 = 0
    for column in columns {
      try table.payload(of: column, in: view) { payload in
        // Nil and an empty value have different seeds.
        hash = StableHash.hash(
          payload ?? UnsafeRawBufferPointer(start: nil, count: 0),
          seed: hash &+ (payload == nil ? 1 : 2)
        )
      }
    }
    return hash
  }
}
