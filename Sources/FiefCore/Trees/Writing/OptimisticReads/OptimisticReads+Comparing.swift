import LMDB

extension OptimisticReads.State {
  /// Returns a line for each object that was read and differs in the state of a transaction.
  func staleLines(in transaction: LMDB.Transaction, _ tables: StoreTables) throws -> [String] {
    if let onlyCommit, !transaction.isState(of: onlyCommit) { return [Self.anything] }
    var lines: [String] = []
    for entry in entries {
      let isSame = try entry.key.withUnsafeBytes { key in
        try entry.table.hasWholeRecord(entry.record, key, tables, in: transaction)
      }
      if !isSame { lines.append(entry.line) }
    }
    for answer in answers {
      let rows = try answer.read(transaction)
      if rows != answer.rows { lines += Self.lines(answer.type, tables[answer.type], answer.rows, rows) }
    }
    return lines
  }

  fileprivate static func line(_ type: String, _ table: Table?, _ key: [UInt8]) -> String {
    type + HiddenValue.place(table?.text(ofKey: key) ?? ObjectKey(bytes: key).description)
  }

  /// Returns a line for each object that is missing from one of two query results or differs between them, up
  /// to a maximum number.
  private static func lines(
    _ type: String,
    _ table: Table?,
    _ old: [OptimisticReads.StoredRow],
    _ new: [OptimisticReads.StoredRow]
  ) -> [String] {
    let most = 100
    let before = Dictionary(old.map { ($0.key, $0.record) }) { first, _ in first }
    let after = Dictionary(new.map { ($0.key, $0.record) }) { first, _ in first }
    let changed =
      old.map(\.key).filter { after[$0] != before[$0] } + new.map(\.key).filter { before[$0] == nil }
    if changed.isEmpty { return ["\(type): the order of a query's objects"] }
    let rest = changed.count > most ? ["\(type): \(changed.count - most) more"] : []
    return changed.prefix(most).map { line(type, table, $0) } + rest
  }
}

extension OptimisticReads.Entry {
  /// A description of the object for an error.
  var line: String { OptimisticReads.State.line(table.name, table, key) }
}

extension FiefError {
  /// Returns the error for reads that are no longer current.
  ///
  /// - Parameter lines: A line for each changed object.
  static func conflict(_ lines: [String], in store: String, attempts: Int? = nil) -> FiefError {
    FiefError(
      .conflict,
      "Other writes changed objects that a transaction read before its commit.",
      store: store,
      details: (attempts.map { ["attempts: \($0)"] } ?? []) + lines
    )
  }
}

extension LMDB.Transaction {
  /// Whether the transaction reads exactly the state of a commit.
  func isState(of commit: UInt64) -> Bool {
    guard let writing = self as? LMDB.WritableTransaction else { return id == commit }
    return id &- 1 == commit && !writing.isChanged
  }
}

extension Table {
  /// Returns the record of a key with the elements of its large collections inline, or `nil` if the object
  /// does not exist.
  func wholeRecord(
    _ key: UnsafeRawBufferPointer,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> [UInt8]? {
    guard let records, let record = try transaction.get(records, key) else { return nil }
    return try RecordEditor.expanded(record, self, tables, in: transaction) ?? [UInt8](record)
  }

  /// Whether an object's complete record equals `bytes`; see ``wholeRecord(_:_:in:)``.
  fileprivate func hasWholeRecord(
    _ bytes: [UInt8]?,
    _ key: UnsafeRawBufferPointer,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> Bool {
    guard let records, let record = try transaction.get(records, key) else { return bytes == nil }
    guard let bytes else { return false }
    if let whole = try RecordEditor.expanded(record, self, tables, in: transaction) { return whole == bytes }
    return bytes.withUnsafeBytes { record.hasSameBytes(as: $0) }
  }
}
