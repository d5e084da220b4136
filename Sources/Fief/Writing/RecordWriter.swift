import LMDB

/// Puts, changes and deletes records inside one LMDB transaction, with their indexes, their backlinks and
/// the list of what was changed.
///
/// Invariant: after each call the records, the waiting changes of ``TreeBuffer`` and the trees agree; after
/// ``flushTrees()`` the trees do alone, and after ``finishTrees()`` unique indexes are. A call that finds its input wrong throws before its first change,
/// but for failures of LMDB itself, after which the transaction is aborted.
final class RecordWriter {
  /// How much may wait for the trees, in bytes.
  private static let largestWait = 16 << 20

  var tables: StoreTables
  let transaction: LMDB.WriteTransaction
  /// What was changed; collected only where somebody observes the store.
  @exclusivity(unchecked) var changes: ChangeSet?
  /// The links that a save has made to objects that it does not write; nil outside of one.
  var newLinks: [NewLink]?
  /// Whether the links of the record that is being written may lead to nothing.
  @exclusivity(unchecked) var collectsNewLinks = false
  /// What a deletion does to live objects; nil where nobody wants to know.
  var trace: DeletionTrace?
  /// What may have too few or too many objects at the other end of a relationship.
  var limitNotes: Set<LimitNote> = []
  /// How many of the notes were violations when they were looked at last.
  var knownViolations = 0
  /// In a migration, the types whose relationships are looked at in the end, instead of notes of each object.
  var limitedTypes: Set<String>?
  /// In a later stage of a migration, what keeps the records that are replaced; nil everywhere else.
  @exclusivity(unchecked) var earlierState: EarlierState?
  /// What is still to be written to indexes and backlinks.
  @exclusivity(unchecked) var treeBuffers: [TreeBuffer] = []
  /// The entries of unique indexes that were not alone with their values when they were written.
  var suspects: [UniqueSuspect] = []
  // Nothing that is called while one of these is accessed comes back to it: a check of each access of each
  // record would find nothing.
  @exclusivity(unchecked) private var updates = 0
  /// The cursor of the table that was written to last.
  @exclusivity(unchecked) private var lastCursor: (database: Database, cursor: WriteCursor)?

  init(tables: StoreTables, transaction: LMDB.WriteTransaction, collectsChanges: Bool) {
    self.tables = tables
    self.transaction = transaction
    self.changes = collectsChanges ? ChangeSet() : nil
  }

  /// Calls `body` in a nested transaction: all of it happens, or nothing.
  ///
  /// - Parameter decidesLimits: whether the limits of relationships are looked at in its end, and not in that of the
  ///   whole.
  func nested<Result>(decidesLimits: Bool = true, _ body: (RecordWriter) throws -> Result) throws -> Result {
    try flushTrees()
    lastCursor = nil
    let child = try transaction.nested { transaction in
      let writer = RecordWriter(
        tables: tables,
        transaction: transaction,
        collectsChanges: changes != nil
      )
      let result = try body(writer)
      let notes = writer.limitNotes
      if !decidesLimits { writer.limitNotes = [] }
      try writer.finishTrees()
      return (result, writer.changes, decidesLimits ? [] : notes)
    }
    if let inner = child.1 { changes?.append(inner) }
    limitNotes.formUnion(child.2)
    return child.0
  }

  /// Lets go of the cursor: before a nested transaction, and before a tree is emptied.
  func endCursor() { lastCursor = nil }

  func records(of table: Table) throws(FiefError) -> Database {
    guard let records = table.records else {
      throw FiefError(.invalidValue, "An embedded object has no record of its own.", type: table.name)
    }
    return records
  }

  /// The cursor for the records of a table.
  func cursor(of table: Table) throws -> WriteCursor {
    let records = try records(of: table)
    if let lastCursor, lastCursor.database == records { return lastCursor.cursor }
    let cursor = try transaction.writeCursor(records)
    lastCursor = (records, cursor)
    return cursor
  }

  /// Adds an object.
  ///
  /// - Throws: ``FiefError`` of code `duplicatePrimaryKey`, with nothing changed, where the key exists.
  func insert(key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer, into table: Table) throws {
    guard try insertIfAbsent(key: key, record: record, into: table) else {
      throw Self.duplicate
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
    if table.needsOldRecord { try boundTreeBuffers() }
    if let earlierState { try earlierState.keep(key, of: table) }
    guard try cursor(of: table).putIfAbsent(key, record) else { return false }
    if table.needsOldRecord { try updateTrees(of: table, key: key, old: nil, new: record) }
    changes?.insert(ObjectKey(key), table.name)
    return true
  }

  /// Adds or replaces an object.
  func put(key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer, into table: Table) throws {
    if let earlierState { try earlierState.keep(key, of: table) }
    let cursor = try cursor(of: table)
    guard table.needsOldRecord || changes != nil else { return try cursor.put(key, record) }
    try boundTreeBuffers()
    if try cursor.putIfAbsent(key, record) {
      if table.needsOldRecord { try updateTrees(of: table, key: key, old: nil, new: record) }
      changes?.insert(ObjectKey(key), table.name)
      return
    }
    // The old record is in a page, and is looked at before that is written to.
    if table.needsOldRecord, let old = try cursor.get(key) {
      try updateTrees(of: table, key: key, old: old, new: record)
    }
    try cursor.put(key, record)
    changes?.modify(ObjectKey(key), table.name)
  }

  /// Writes some columns of `record` into the object that is there, or adds the object.
  func patch(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    columns: [UInt16],
    in table: Table
  ) throws {
    guard let old = try cursor(of: table).get(key) else {
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

  // MARK: Indexes and backlinks

  /// The buffer of a tree.
  func buffer(_ database: Database) -> TreeBuffer {
    for buffer in treeBuffers where buffer.database == database { return buffer }
    let buffer = TreeBuffer(database)
    treeBuffers.append(buffer)
    return buffer
  }

  /// The buffer of an index.
  func buffer(_ index: Table.Index, of table: Table) -> TreeBuffer {
    for buffer in treeBuffers where buffer.database == index.database { return buffer }
    let buffer = TreeBuffer(index.database)
    if index.entry.isUnique { buffer.unique = (table, index) }
    treeBuffers.append(buffer)
    return buffer
  }

  /// Writes the waiting changes of indexes and backlinks.
  func flushTrees() throws {
    for buffer in treeBuffers { try buffer.flush(in: transaction, suspects: &suspects) }
  }

  /// Writes the waiting changes, and makes sure that no two objects have the same values in a unique index.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue` or `validationFailed`; the transaction must not be committed then.
  func finishTrees() throws {
    try flushTrees()
    if suspects.isEmpty { return try finishLimits() }
    defer { suspects = [] }
    for suspect in suspects { if let error = try duplicate(suspect) { throw error } }
    try finishLimits()
  }

  /// Keeps what waits within bounds; bytes in pages that were looked up before are of no use after it.
  func boundTreeBuffers() throws {
    updates &+= 1
    guard updates & 0xFF == 0 else { return }
    try boundLimitNotes()
    guard treeBuffers.reduce(0, { $0 + $1.size }) > Self.largestWait else { return }
    try flushTrees()
  }
}
