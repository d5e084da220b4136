import LMDB

/// Puts, changes and deletes records inside one LMDB transaction, with their indexes, their backlinks and the
/// list of changes.
///
/// Invariant: after each call the records, the waiting changes of ``TreeBuffer`` and the trees agree; after
/// ``flushTrees()`` the trees do alone and derived properties are right, and after ``finishTrees()`` unique indexes
/// are. A call that finds its input wrong throws before its first change, but for failures of LMDB itself, after
/// which the transaction is aborted.
package final class RecordWriter {
  /// The memory that changes may take while they wait for the trees and for derived properties, in bytes.
  @exclusivity(unchecked) var largestWait = 16 << 20
  /// The changes after which the memory is checked: those whose number has none of these bits.
  @exclusivity(unchecked) var boundingMask = 0xFF

  var tables: StoreTables { didSet { waiting = nil } }
  package let transaction: LMDB.WritableTransaction
  /// The changes; collected only where the store is observed.
  let collector: ChangeCollector?
  /// The links that a save has made to objects that it does not write; nil outside of one.
  var newLinks: [NewLink]?
  /// The number of new links that led to nothing and were cleared.
  @exclusivity(unchecked) var droppedLinks = 0
  /// Whether the links of the record that is being written may lead to nothing.
  @exclusivity(unchecked) var collectsNewLinks = false
  /// What was put and deleted.
  @exclusivity(unchecked) var tally = WriteTally()
  /// Called with each deleted object, so that live instances are marked; nil where there are none.
  var trace: DeletionTrace?
  /// The relationships that may have too few or too many objects.
  var limitNotes: Set<LimitNote> = []
  /// The number of notes that were violations at the last check.
  var knownViolations = 0
  /// The types whose relationships are checked at the end of a migration, instead of notes of each object.
  var limitedTypes: Set<String>?
  /// In a later stage of a migration, what keeps the records that are replaced; nil everywhere else.
  @exclusivity(unchecked) var earlierState: RecordKeeper?
  /// Whether this is the writer of a migration, whose trees are not those of the stored catalogue.
  @exclusivity(unchecked) var isMigration = false
  /// What is still to be written to indexes and backlinks.
  @exclusivity(unchecked) var treeBuffers: [TreeBuffer] = []
  /// The number of changes of large collections: after a change, parts that were read before may belong to
  /// another collection.
  @exclusivity(unchecked) var collectionChanges = 0
  /// The version of the large collections that this writer makes or changes.
  private(set) lazy var version = UInt64.random(in: 1...UInt64.max)
  /// The large collection that was last given the version.
  private var versioned: [UInt8] = []
  /// Calls a closure with the state that was committed before this write; nil for writers that save no objects.
  var readCommitted: (((LMDB.Transaction) throws -> Void) throws -> Void)?
  /// The walks through large collections in the scope of this write.
  var walks = CollectionWalks()
  /// The large collections that the write has not changed since it has learned something about them.
  @exclusivity(unchecked) var knownCollections = KnownCollections()
  /// The loops over rows in the scope of this write.
  private(set) var loops = RowLoops()
  /// The entries of unique indexes that were not alone with their values when they were written.
  var suspects: [UniqueSuspect] = []
  /// The objects whose derived properties are to be brought up to date; nil where there are none.
  @exclusivity(unchecked) package var waiting: WaitingDerivations?
  /// The error that ended an update of derived properties. The transaction must not be committed then: what waited for the
  /// update is lost.
  @exclusivity(unchecked) var derivingFailure: (any Error)?
  /// Whether waiting changes are being flushed.
  @exclusivity(unchecked) var isRecomputing = false
  /// Whether nothing is derived, as while a migration moves objects.
  @exclusivity(unchecked) var derivesNothing = false
  /// The time at which the work began, for properties with the time of the last change: one reading for all of it.
  @exclusivity(unchecked) var timeOfWork: DerivedValue?
  /// Called with each object with derived properties that is written and was there before.
  var didDerive: ((Table, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void)?
  // Nothing that is called while one of these is accessed comes back to it: a check of each access of each
  // record would find nothing.
  @exclusivity(unchecked) private var updates = 0
  /// The cursor of the table that was written to last.
  @exclusivity(unchecked) private var lastCursor: (database: Database, cursor: WriteCursor)?

  package init(tables: StoreTables, transaction: LMDB.WritableTransaction, collectsChanges: Bool) {
    self.tables = tables
    self.transaction = transaction
    self.collector = collectsChanges ? ChangeCollector(tables) : nil
  }

  /// Calls `body` in a nested transaction: all of it happens, or nothing.
  ///
  /// - Parameter decidesLimits: whether the limits of relationships are checked at its end, and not at that
  ///   of the whole write.
  package func nested<Result>(decidesLimits: Bool = true, _ body: (RecordWriter) throws -> Result) throws
    -> Result
  {
    try flushTrees()
    lastCursor = nil
    keepLoops()
    let child = try transaction.nested { transaction in
      let writer = RecordWriter(
        tables: tables,
        transaction: transaction,
        collectsChanges: collector != nil
      )
      writer.isMigration = isMigration
      writer.readCommitted = readCommitted
      let result = try body(writer)
      let notes = writer.limitNotes
      if !decidesLimits { writer.limitNotes = [] }
      try writer.finishTrees()
      return (result, writer.collector, decidesLimits ? [] : notes, writer.tally)
    }
    knownCollections.forgetAll()
    tally.append(child.3)
    if let inner = child.1 { collector?.append(inner) }
    limitNotes.formUnion(child.2)
    return child.0
  }

  /// Gives a large collection another version, once its elements are others.
  func noteVersion(of collection: LargeCollection) throws {
    if versioned == collection.prefix { return }
    try collection.setVersion(version)
    versioned = collection.prefix
  }

  /// Closes the cursor: before a nested transaction, and before a tree is emptied.
  func endCursor() { lastCursor = nil }

  func records(of table: Table) throws(FiefError) -> Database {
    guard let records = table.records else {
      throw FiefError(.invalidValue, "An embedded object has no record of its own.", type: table.name)
    }
    return records
  }

  /// Adds a loop, which is called before the next change. All changes before it are in the trees.
  package func add(_ loop: any RowLoop) {
    loops.add(loop)
    lastCursor = nil
  }

  /// Lets each loop that a change concerns find the keys of its remaining rows before the change.
  ///
  /// - Parameter table: the table of the records; nil for a large collection.
  func willChange(_ table: Table?) { loops.willChange(table) }

  /// Lets all loops find the keys of their remaining rows before a nested transaction begins with another writer.
  func keepLoops() { loops.keepAll() }

  /// The cursor for the records of a table, which are about to change.
  func cursor(of table: Table) throws -> WriteCursor {
    let records = try records(of: table)
    if let lastCursor, lastCursor.database == records { return lastCursor.cursor }
    willChange(table)
    let cursor = try transaction.writeCursor(records)
    lastCursor = (records, cursor)
    return cursor
  }

  /// Adds an object.
  ///
  /// - Parameter hasChecksum: whether the record begins with the checksum of its bytes, so that they need not be hashed again.
  /// - Throws: ``FiefError`` of code `duplicatePrimaryKey`, with nothing changed, where the key exists.
  package func insert(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    into table: Table,
    hasChecksum: Bool = false
  ) throws {
    guard try insertIfAbsent(key: key, record: record, into: table, hasChecksum: hasChecksum) else {
      throw Self.duplicate
    }
  }

  /// Adds an object, unless there is one with the key.
  ///
  /// - Parameter hasChecksum: whether the record begins with the checksum of its bytes.
  /// - Returns: whether it was added.
  func insertIfAbsent(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    into table: Table,
    hasChecksum: Bool = false
  ) throws -> Bool {
    let isAdded: Bool
    if table.hasDerived,
      let derived = try derivedRecord(of: table, key: key, record: record, isInsertion: true)
    {
      isAdded = try derived.withUnsafeBytes {
        try addIfAbsent(key: key, record: $0, into: table, hasChecksum: true)
      }
    } else {
      isAdded = try addIfAbsent(key: key, record: record, into: table, hasChecksum: hasChecksum)
    }
    if isAdded { tally.put(table, bytes: key.count &+ record.count) }
    return isAdded
  }

  @inline(__always)
  private func addIfAbsent(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    into table: Table,
    hasChecksum: Bool
  ) throws -> Bool {
    if table.needsOldRecord { try boundTreeBuffers() }
    if let earlierState { try earlierState.keep(key, of: table) }
    if try table.hasLargeCollections(record) {
      guard try cursor(of: table).get(key) == nil else { return false }
      try putWithLargeCollections(key: key, record: record, old: nil, into: table)
      return true
    }
    guard try storeIfAbsent(key, record, in: table, try cursor(of: table), hasChecksum: hasChecksum) else {
      return false
    }
    if table.needsOldRecord { try updateTrees(of: table, key: key, old: nil, new: record) }
    collector?.insert(key, table)
    return true
  }

  /// Adds or replaces an object. Its derived properties get the values that they have to have, whatever the
  /// record says.
  ///
  /// - Parameters:
  ///   - isCounted: whether the object counts as put, and not as changed by the deletion of another one.
  ///   - hasChecksum: whether the record begins with the checksum of its bytes.
  package func put(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    into table: Table,
    isCounted: Bool = true,
    hasChecksum: Bool = false
  ) throws {
    if isCounted { tally.put(table, bytes: key.count &+ record.count) }
    guard table.hasDerived else {
      return try replace(key: key, record: record, in: table, hasChecksum: hasChecksum)
    }
    // No waiting change is flushed from here on: the values are those that the waiting changes were noted for.
    try boundTreeBuffers()
    guard let derived = try derivedRecord(of: table, key: key, record: record) else {
      try replace(key: key, record: record, in: table, isBounded: true, hasChecksum: hasChecksum)
      try didDerive?(table, key, record)
      return
    }
    try derived.withUnsafeBytes {
      try replace(key: key, record: $0, in: table, isBounded: true, hasChecksum: true)
      try didDerive?(table, key, $0)
    }
  }

  /// Adds or replaces an object by a record that is as it has to be.
  ///
  /// - Parameters:
  ///   - isBounded: whether the caller has seen to it that not too much waits.
  ///   - hasChecksum: whether the record begins with the checksum of its bytes.
  @inline(__always)
  package func replace(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    in table: Table,
    isBounded: Bool = false,
    hasChecksum: Bool = false
  ) throws {
    if let earlierState { try earlierState.keep(key, of: table) }
    let cursor = try cursor(of: table)
    guard table.needsOldRecord || collector != nil else {
      return try store(key, record, in: table, cursor, hasChecksum: hasChecksum)
    }
    if !isBounded { try boundTreeBuffers() }
    if try table.hasLargeCollections(record) {
      let old = try cursor.get(key).map { [UInt8]($0) }
      return try putWithLargeCollections(key: key, record: record, old: old, into: table)
    }
    if try storeIfAbsent(key, record, in: table, cursor, hasChecksum: hasChecksum) {
      if table.needsOldRecord { try updateTrees(of: table, key: key, old: nil, new: record) }
      collector?.insert(key, table)
      return
    }
    // The old record is in a page, and is read before that is written to.
    if let old = try cursor.get(key) {
      if table.needsOldRecord {
        if try table.hasLargeCollections(old) {
          return try putWithLargeCollections(key: key, record: record, old: [UInt8](old), into: table)
        }
        try updateTrees(of: table, key: key, old: old, new: record)
      }
      if let collector { try noteChange(of: key, from: old, to: record, in: table, collector) }
    }
    try store(key, record, in: table, cursor, hasChecksum: hasChecksum)
  }

  /// Stores a record with a checksum that covers its key too.
  @inline(__always)
  func store(
    _ key: UnsafeRawBufferPointer,
    _ record: UnsafeRawBufferPointer,
    in table: Table,
    _ cursor: WriteCursor,
    hasChecksum: Bool = false
  ) throws(LMDBError) {
    guard tables.coversKeys else { return try cursor.put(key, record) }
    let checksum = RecordChecksum.ofStored(
      record,
      key: key,
      type: table.entry.id,
      hasChecksum: hasChecksum
    )
    try cursor.put(key, record, beginningWith: checksum.littleEndian)
  }

  /// The same, unless the key has a record; returns whether it had none.
  @inline(__always)
  private func storeIfAbsent(
    _ key: UnsafeRawBufferPointer,
    _ record: UnsafeRawBufferPointer,
    in table: Table,
    _ cursor: WriteCursor,
    hasChecksum: Bool
  ) throws(LMDBError) -> Bool {
    guard tables.coversKeys else { return try cursor.putIfAbsent(key, record) }
    let checksum = RecordChecksum.ofStored(
      record,
      key: key,
      type: table.entry.id,
      hasChecksum: hasChecksum
    )
    return try cursor.putIfAbsent(key, record, beginningWith: checksum.littleEndian)
  }

  /// Writes some columns of `record` into the object that is there, or adds the object.
  func patch(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    columns: [UInt16],
    in table: Table
  ) throws {
    guard let old = try cursor(of: table).get(key) else {
      try insert(key: key, record: record, into: table, hasChecksum: true)
      return
    }
    if columns.isEmpty { return }
    let oldView = try table.view(old)
    // The columns that stay would get a checksum that is right, though they are damaged.
    try oldView.verifyChecksum(key, of: table)
    let newView = try table.view(record)
    let merged = try RecordEditor.rewrite(oldView, table: table) { column in
      guard columns.contains(column.id) else { return .keep }
      var payload: [UInt8]?
      try table.payload(of: column, in: newView) { payload = $0.map { [UInt8]($0) } }
      return .set(payload)
    }
    try merged.withUnsafeBytes { try put(key: key, record: $0, into: table, hasChecksum: true) }
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

  /// Brings derived properties up to date, and writes the waiting changes of indexes and backlinks.
  ///
  /// - Throws: the error of an earlier update too, so that a caller that has caught it cannot commit.
  package func flushTrees() throws {
    if let derivingFailure { throw derivingFailure }
    try flushBuffers()
    if waiting != nil, !isRecomputing { try flushDerivations() }
  }

  /// Writes the waiting changes of indexes and backlinks.
  func flushBuffers() throws {
    for buffer in treeBuffers { try buffer.flush(in: transaction, suspects: &suspects) }
  }

  /// Writes the waiting changes, and makes sure that no two objects have the same values in a unique index.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue` or `validationFailed`; the transaction must not be committed then.
  package func finishTrees() throws {
    try flushTrees()
    if suspects.isEmpty { return try finishLimits() }
    defer { suspects = [] }
    for suspect in suspects { if let error = try duplicate(suspect) { throw error } }
    try finishLimits()
  }

  /// Keeps the waiting changes within bounds; bytes in pages that were looked up before are of no use after it.
  func boundTreeBuffers() throws {
    updates &+= 1
    guard updates & boundingMask == 0 else { return }
    try boundLimitNotes()
    let size = treeBuffers.reduce(0) { $0 + $1.size } + (waiting?.size ?? 0)
    if size > largestWait { try flushTrees() }
  }

  /// Keeps the changes that wait for the trees within bounds while derived properties are brought up to date.
  func boundBuffers() throws {
    updates &+= 1
    guard updates & boundingMask == 0, treeBuffers.reduce(0, { $0 + $1.size }) > largestWait else { return }
    try flushBuffers()
  }
}
