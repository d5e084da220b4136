import LMDB

/// The objects as they were before a stage of a migration.
///
/// The first stage reads them in a read transaction that began before the migration. A later stage begins
/// with objects that the previous stage has written in the same transaction. Therefore, before the stage
/// replaces or deletes a record, it copies the record to a temporary tree. An empty value in this tree
/// represents an object that did not exist.
final class EarlierState: RecordKeeper {
  let tables: StoreTables
  /// The transaction in which the objects are read.
  let transaction: LMDB.Transaction
  /// The former names of types, by their new names.
  let formerNames: [String: String]
  /// The temporary trees, or `nil` in the first stage.
  private let temporary: TemporaryTrees?

  init(
    tables: StoreTables,
    transaction: LMDB.Transaction,
    formerNames: [String: String],
    temporary: TemporaryTrees?
  ) {
    self.tables = tables
    self.transaction = transaction
    self.formerNames = formerNames
    self.temporary = temporary
  }

  /// Returns the table of a type by its former or its new name.
  func table(_ name: String) -> Table? {
    if let former = formerNames[name] { return tables[former] }
    return tables[name]
  }

  private func kept(of table: Table) -> Database? {
    temporary?.existing("old:\(table.entry.id)")
  }

  /// Returns the record of an object, or `nil` if the object did not exist.
  func record(_ key: [UInt8], of table: Table) throws -> [UInt8]? {
    guard let records = table.records, ObjectKey.lengths.contains(key.count) else { return nil }
    return try key.withUnsafeBytes { key in
      if let kept = kept(of: table), let record = try transaction.get(kept, key) {
        return record.isEmpty ? nil : [UInt8](record)
      }
      return try transaction.get(records, key).map { try expanded([UInt8]($0), table) }
    }
  }

  /// Returns the record with its large collections inlined, because these may change meanwhile.
  func expanded(_ record: [UInt8], _ table: Table) throws -> [UInt8] {
    try record.withUnsafeBytes { try RecordEditor.expanded($0, table, tables, in: transaction) } ?? record
  }

  /// Copies the record of an object that is about to be replaced or deleted, unless it was already copied.
  func keep(_ key: UnsafeRawBufferPointer, of table: Table) throws {
    guard let temporary, let records = table.records,
      tables.all.contains(where: { $0.entry.id == table.entry.id && $0.records == records })
    else { return }
    let kept = try temporary.tree("old:\(table.entry.id)")
    guard try transaction.get(kept, key) == nil else { return }
    let record = try transaction.get(records, key).map { try expanded([UInt8]($0), table) } ?? []
    // The key may be in a page of the tree that is being written, so it is copied.
    try [UInt8](key).withUnsafeBytes { key in
      try record.withUnsafeBytes { try temporary.transaction.put(kept, key, $0) }
    }
  }

  /// Returns the records of a type in key order.
  func stream(of table: Table, _ records: Database) throws -> EarlierStream {
    EarlierStream(state: self, table: table, stream: try RecordStream(records, of: transaction))
  }

  /// Returns the first copied key after another key.
  fileprivate func keptKey(after key: [UInt8]?, of table: Table) throws -> [UInt8]? {
    guard let kept = kept(of: table) else { return nil }
    let cursor = try transaction.cursor(kept)
    guard let key else { return try cursor.first() ? [UInt8](cursor.key) : nil }
    guard try key.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }) else { return nil }
    if cursor.key.elementsEqual(key), try !cursor.next() { return nil }
    return [UInt8](cursor.key)
  }

  fileprivate var keepsRecords: Bool { temporary != nil }
}

/// The records of a type before a stage. Changes during the stage do not affect it.
struct EarlierStream {
  fileprivate let state: EarlierState
  fileprivate let table: Table
  fileprivate var stream: RecordStream
  private var last: [UInt8]?

  fileprivate init(state: EarlierState, table: Table, stream: RecordStream) {
    self.state = state
    self.table = table
    self.stream = stream
  }

  /// Returns the next record, or `nil` at the end.
  mutating func next() throws -> RecordStream.Element? {
    guard state.keepsRecords else {
      return try stream.next().map { ($0.key, try state.expanded($0.record, table)) }
    }
    while true {
      // A record that was deleted before the stream reached it is among the copied records.
      let kept = try state.keptKey(after: last, of: table)
      let stored = try stream.peek()?.key
      guard let key = [kept, stored].compactMap({ $0 }).min(by: { $0.lexicographicallyPrecedes($1) }) else {
        return nil
      }
      if key == stored { _ = try stream.next() }
      last = key
      if let record = try state.record(key, of: table) { return (key, record) }
    }
  }
}
