import LMDB

/// Puts, changes and deletes records inside one LMDB transaction, with their indexes, their backlinks and
/// the list of what was changed.
///
/// Invariant: after each call the trees of the store agree. A call that finds its input wrong throws
/// before its first change, but for failures of LMDB itself, after which the transaction is aborted.
final class RecordWriter {
  var tables: StoreTables
  let transaction: LMDB.WriteTransaction
  /// What was changed; collected only where somebody observes the store.
  private(set) var changes: ChangeSet?
  /// The links that a save has made so far; nil outside of one.
  var newLinks: [NewLink]?
  /// The links to deleted objects that were cleared; nil where nobody wants to know.
  var clearedLinks: [ClearedLink]?

  init(tables: StoreTables, transaction: LMDB.WriteTransaction, collectsChanges: Bool) {
    self.tables = tables
    self.transaction = transaction
    self.changes = collectsChanges ? ChangeSet() : nil
  }

  /// Calls `body` in a nested transaction: all of it happens, or nothing.
  func nested<Result>(_ body: (RecordWriter) throws -> Result) throws -> Result {
    let child = try transaction.nested { transaction in
      let writer = RecordWriter(
        tables: tables,
        transaction: transaction,
        collectsChanges: changes != nil
      )
      return (try body(writer), writer.changes)
    }
    if let inner = child.1 { changes?.append(inner) }
    return child.0
  }

  func perform(_ changes: PreparedChanges) throws {
    newLinks = []
    defer { newLinks = nil }
    try changes.bytes.withUnsafeBytes { bytes in
      for (index, operation) in changes.operations.enumerated() {
        let key = UnsafeRawBufferPointer(rebasing: bytes[operation.key])
        let record = UnsafeRawBufferPointer(rebasing: bytes[operation.record])
        do {
          try perform(operation, key: key, record: record)
        } catch {
          throw FiefError.described(
            error,
            store: tables.storeName,
            type: operation.table.name,
            key: key.isEmpty ? nil : [UInt8](key),
            path: changes.paths.indices.contains(index) ? changes.paths[index] : nil
          )
        }
      }
    }
    try dropLinksToNothing()
  }

  private func perform(
    _ operation: PreparedChanges.Operation,
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer
  ) throws {
    let table = operation.table
    switch operation.kind {
    case .insert:
      try insert(key: key, record: record, into: table)
    case .ensure:
      _ = try insertIfAbsent(key: key, record: record, into: table)
    case .put:
      try put(key: key, record: record, into: table)
    case .patch(let columns):
      try patch(key: key, record: record, columns: columns, in: table)
    case .delete:
      guard try delete(key: key, from: table) else {
        throw FiefError(.objectNotFound, "There is no object with the key, so that it cannot be deleted.")
      }
    case .deleteAll:
      try deleteAll(from: table)
    }
  }

  private func records(of table: Table) throws(FiefError) -> Database {
    guard let records = table.records else {
      throw FiefError(.invalidValue, "An embedded object has no record of its own.", type: table.name)
    }
    return records
  }

  /// Adds an object.
  ///
  /// - Throws: ``FiefError`` of code `duplicatePrimaryKey`, with nothing changed, where the key exists.
  func insert(key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer, into table: Table) throws {
    guard try insertIfAbsent(key: key, record: record, into: table) else {
      throw FiefError(.duplicatePrimaryKey, "An object with the primary key exists.")
    }
  }

  /// Adds an object, unless there is one with the key.
  ///
  /// - Returns: whether it was added.
  func insertIfAbsent(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    into table: Table
  ) throws -> Bool {
    guard try transaction.putIfAbsent(try records(of: table), key, record) else { return false }
    if table.needsOldRecord { try updateTrees(of: table, key: key, old: nil, new: record) }
    changes?.insert(ObjectKey(key), table.name)
    return true
  }

  /// Adds or replaces an object.
  func put(key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer, into table: Table) throws {
    let records = try records(of: table)
    guard table.needsOldRecord || changes != nil else {
      try transaction.put(records, key, record)
      return
    }
    if try transaction.putIfAbsent(records, key, record) {
      if table.needsOldRecord { try updateTrees(of: table, key: key, old: nil, new: record) }
      changes?.insert(ObjectKey(key), table.name)
      return
    }
    if table.needsOldRecord, let old = try transaction.get(records, key) {
      // A copy: the page of the old record is written to before the last use of it.
      let old = [UInt8](old)
      try old.withUnsafeBytes { try updateTrees(of: table, key: key, old: $0, new: record) }
    }
    try transaction.put(records, key, record)
    changes?.modify(ObjectKey(key), table.name)
  }

  /// Writes some columns of `record` into the object that is there, or adds the object.
  func patch(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    columns: [UInt16],
    in table: Table
  ) throws {
    guard let old = try transaction.get(try records(of: table), key) else {
      try insert(key: key, record: record, into: table)
      return
    }
    if columns.isEmpty { return }
    let oldView = try table.view(old)
    let newView = try table.view(record)
    let merged = try RecordEditor.rewrite(oldView, table: table) { column in
      guard columns.contains(column.id) else { return .keep }
      var payload: [UInt8]?
      try table.payload(of: column, in: newView) { payload = $0.map { [UInt8]($0) } }
      return .set(payload)
    }
    try merged.withUnsafeBytes { try put(key: key, record: $0, into: table) }
  }

  /// Deletes an object and every link that leads to it.
  ///
  /// - Returns: false where there was none.
  func delete(key: UnsafeRawBufferPointer, from table: Table) throws -> Bool {
    let records = try records(of: table)
    guard let old = try transaction.get(records, key) else { return false }
    let record = [UInt8](old)
    if table.needsOldRecord {
      try record.withUnsafeBytes { try updateTrees(of: table, key: key, old: $0, new: nil) }
    }
    _ = try transaction.delete(records, key)
    changes?.delete(ObjectKey(key), table.name)
    try nullifyLinks(to: [UInt8](key), of: table)
    return true
  }

  /// Deletes every object of a type and every link that leads to one.
  func deleteAll(from table: Table) throws {
    let records = try records(of: table)
    guard changes == nil, !tables.hasLinks(to: table) else {
      try deleteEach(from: table, records)
      return
    }
    for index in table.indexes { try transaction.removeAll(index.database) }
    for link in table.links { try transaction.removeAll(link.backlinks) }
    try transaction.removeAll(records)
  }

  private func deleteEach(from table: Table, _ records: Database) throws {
    while true {
      let cursor = try transaction.cursor(records)
      guard try cursor.first() else { return }
      let key = [UInt8](cursor.key)
      _ = try key.withUnsafeBytes { try delete(key: $0, from: table) }
    }
  }
}
