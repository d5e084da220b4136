import LMDB

/// Writes and deletes records in one LMDB transaction, together with their indexes, their backlinks and the
/// list of changes.
///
/// Invariant: after each call, the records agree with the trees and the pending changes in each
/// ``TreeBuffer`` taken together. After ``flushTrees()``, the records agree with the trees alone, and derived
/// properties are up to date. After ``finishTrees()``, unique indexes are valid too. A call with invalid
/// input throws before its first change. Only failures of LMDB itself can occur later, and the transaction is
/// then aborted.
package final class RecordWriter {
  /// The maximum memory for pending changes of trees and derived properties, in bytes.
  @exclusivity(unchecked) var largestWait = 16 << 20
  /// A mask that determines how often the memory is checked: after the changes whose number has all of these
  /// bits clear.
  @exclusivity(unchecked) var boundingMask = 0xFF

  var tables: StoreTables { didSet { waiting = nil } }
  /// The tables. In a migration they belong to its current stage.
  package var currentTables: StoreTables { tables }
  package let transaction: LMDB.WritableTransaction
  /// The collected changes, or `nil` if the store is not observed or the changes are unknown.
  @exclusivity(unchecked) private(set) var collector: ChangeCollector?
  /// The links that a save has created to objects that it does not write; `nil` outside a save.
  @exclusivity(unchecked) var newLinks: NewLinks?
  /// The number of new links that were cleared because their targets do not exist.
  @exclusivity(unchecked) var droppedLinks = 0
  /// Whether the links in the current record may refer to objects that do not exist.
  @exclusivity(unchecked) var collectsNewLinks = false
  /// The numbers of written and deleted objects.
  @exclusivity(unchecked) var tally = WriteTally()
  /// The places that a product has written; `nil` if there are none.
  @exclusivity(unchecked) var notes: PlaceNotes?
  /// Called with each deleted object, so that live instances are marked; `nil` if there are no live
  /// instances.
  var trace: DeletionTrace?
  /// The relationships that may have too few or too many objects.
  var limitNotes: Set<LimitNote> = []
  /// The number of notes that were violations at the last check.
  var knownViolations = 0
  /// The types whose relationships are checked at the end of a migration, instead of notes for each object.
  var limitedTypes: Set<String>?
  /// Preserves the records that a later stage of a migration replaces; `nil` outside such a stage.
  @exclusivity(unchecked) var earlierState: (any RecordKeeper)?
  /// Whether this is the writer of a migration, whose trees differ from the stored catalogue.
  @exclusivity(unchecked) var isMigration = false
  /// The pending changes of indexes and backlinks.
  @exclusivity(unchecked) var treeBuffers: [TreeBuffer] = []
  /// The number of changes of large collections. After a change, parts that were read before may belong to
  /// another collection.
  @exclusivity(unchecked) var collectionChanges = 0
  /// The version of the large collections that this writer creates or changes.
  private(set) lazy var version = UInt64.random(in: 1...UInt64.max)
  /// The large collection that last received the version.
  private var versioned: [UInt8] = []
  /// Calls a closure with the state that was committed before this write; `nil` for writers that do not save
  /// objects.
  var readCommitted: (((LMDB.Transaction) throws -> Void) throws -> Void)?
  /// The walks through large collections in the scope of this write.
  var walks = CollectionWalks()
  /// Facts about large collections, which are kept until the write changes the collections.
  @exclusivity(unchecked) var knownCollections = LargeCollectionCache()
  /// The loops over rows in the scope of this write.
  private(set) var loops = RowLoops()
  /// The entries of unique indexes that were not unique when they were written.
  var suspects: [UniqueSuspect] = []
  /// The objects whose derived properties are outdated, or `nil` if there are none.
  @exclusivity(unchecked) package var waiting: WaitingDerivations?
  /// The error with which an update of derived properties failed. The transaction must not be committed,
  /// because the pending changes of the update are lost.
  @exclusivity(unchecked) var derivingFailure: (any Error)?
  /// Whether the product of a managed type is writing its records.
  @exclusivity(unchecked) var writesManaged = false
  /// Whether pending changes are being flushed.
  @exclusivity(unchecked) var isRecomputing = false
  /// Whether the writer leaves derived properties alone, as it does while a migration moves objects.
  @exclusivity(unchecked) var derivesNothing = false
  /// The time at which the write began, used for properties with the time of the last change. It is
  /// determined once per write.
  @exclusivity(unchecked) var timeOfWork: DerivedValue?
  /// Called with each existing object with derived properties that is written.
  var didDerive: ((Table, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void)?
  // These properties are never accessed reentrantly, so exclusivity checks for each record would only cost
  // time.
  @exclusivity(unchecked) private var updates = 0
  /// The cursor of the table to which the last record was written.
  @exclusivity(unchecked) private var lastCursor: (database: Database, cursor: WriteCursor)?

  package init(tables: StoreTables, transaction: LMDB.WritableTransaction, collectsChanges: Bool) {
    self.tables = tables
    self.transaction = transaction
    self.collector = collectsChanges ? ChangeCollector(tables) : nil
  }

  /// Calls `body` in a nested transaction: all of its changes are made, or none.
  ///
  /// - Parameter decidesLimits: Whether the limits of relationships are checked at the end of `body` rather
  ///   than at the end of the whole write.
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
      writer.writesManaged = writesManaged
      writer.readCommitted = readCommitted
      let result = try body(writer)
      let notes = writer.limitNotes
      if !decidesLimits { writer.limitNotes = [] }
      // The outermost writer keeps the places of all works.
      let places = writer.notes
      writer.notes = nil
      try writer.finishTrees()
      return (result, writer.collector, decidesLimits ? [] : notes, writer.tally, places)
    }
    knownCollections.forgetAll()
    tally.append(child.3)
    if let inner = child.1 { collector?.append(inner) }
    limitNotes.formUnion(child.2)
    append(child.4)
    return child.0
  }

  /// Drops the collected changes and collects no more, because the write changes too many objects to keep
  /// their keys in memory. Observers are notified of unknown changes, as for a commit of another process.
  package func stopCollecting() { collector = nil }

  /// Gives a large collection the version of this write after its elements have changed.
  func noteVersion(of collection: LargeCollection) throws {
    if versioned == collection.prefix { return }
    try collection.setVersion(version)
    versioned = collection.prefix
  }

  /// Closes the cursor. Called before a nested transaction, and before a tree is emptied.
  func endCursor() { lastCursor = nil }

  func records(of table: Table) throws(FiefError) -> Database {
    guard let records = table.records else {
      throw FiefError(.invalidValue, "An embedded object has no record of its own.", type: table.name)
    }
    return records
  }

  /// Adds a loop that must be notified of the next change. All earlier changes are in the trees.
  package func add(_ loop: any RowLoop) {
    loops.add(loop)
    lastCursor = nil
  }

  /// Makes each loop that a change affects read the keys of its remaining rows before the change.
  ///
  /// - Parameter table: The table of the records, or `nil` for a large collection.
  func willChange(_ table: Table?) { loops.willChange(table) }

  /// Makes all loops read the keys of their remaining rows before a nested transaction begins with another
  /// writer.
  func keepLoops() { loops.keepAll() }

  /// Returns the cursor for the records of a table, which are about to change.
  func cursor(of table: Table) throws -> WriteCursor {
    let records = try records(of: table)
    if let lastCursor, lastCursor.database == records { return lastCursor.cursor }
    if table.isManaged { try checkManaged(table) }
    willChange(table)
    let cursor = try transaction.writeCursor(records)
    lastCursor = (records, cursor)
    return cursor
  }

  /// Calls `body`, which may write records of managed types.
  package func writingManaged<Value>(_ body: () throws -> Value) rethrows -> Value {
    let outer = writesManaged
    writesManaged = true
    defer {
      writesManaged = outer
      // The next write of the type gets a new cursor, and is checked for it.
      lastCursor = nil
    }
    return try body()
  }

  /// Checks that the records of a managed type may be written. A migration may write all types, because it
  /// moves and converts records and deletes types.
  ///
  /// - Throws: ``FiefError`` of code `managedType`.
  func checkManaged(_ table: Table) throws(FiefError) {
    if !table.isManaged || writesManaged || isMigration { return }
    throw FiefError(
      .managedType,
      "Only the product that declares the class writes its objects.",
      store: tables.storeName,
      type: table.name
    )
  }

  /// Inserts an object.
  ///
  /// - Parameter hasChecksum: Whether the record begins with the checksum of its bytes, so that they need not
  ///   be hashed again.
  /// - Throws: ``FiefError`` of code `duplicatePrimaryKey` if the key exists. Nothing is then changed.
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

  /// Inserts an object unless the key exists.
  ///
  /// - Parameter hasChecksum: Whether the record begins with the checksum of its bytes.
  /// - Returns: Whether the object was inserted.
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

  /// Inserts or replaces an object. Its derived properties receive their correct values, regardless of the
  /// values in the record.
  ///
  /// - Parameters:
  ///   - isCounted: Whether the object counts as written. `false` if the deletion of another object changes
  ///     it.
  ///   - hasChecksum: Whether the record begins with the checksum of its bytes.
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
    // From here on pending changes must not be flushed, because they refer to the derived values that are
    // read here.
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

  /// Inserts or replaces an object with a record whose derived properties are correct.
  ///
  /// - Parameters:
  ///   - isBounded: Whether the caller has already bounded the pending changes.
  ///   - hasChecksum: Whether the record begins with the checksum of its bytes.
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
    // The old record is in a page and must be read before the page is written.
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

  /// Stores a record with a checksum that also covers its key.
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

  /// Stores a record unless the key has a record. Returns whether the record was stored.
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

  /// Writes some columns of `record` into the existing object, or inserts the object.
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
    // Damaged columns must not be rewritten with a correct checksum.
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

  /// Returns the buffer of a tree.
  func buffer(_ database: Database) -> TreeBuffer {
    for buffer in treeBuffers where buffer.database == database { return buffer }
    let buffer = TreeBuffer(database)
    treeBuffers.append(buffer)
    return buffer
  }

  /// Returns the buffer of an index.
  func buffer(_ index: Table.Index, of table: Table) -> TreeBuffer {
    for buffer in treeBuffers where buffer.database == index.database { return buffer }
    let buffer = TreeBuffer(index, of: table)
    treeBuffers.append(buffer)
    return buffer
  }

  /// Updates derived properties, and writes the pending changes of indexes and backlinks.
  ///
  /// - Throws: The error of an earlier update too, so that a caller that caught the error cannot commit.
  package func flushTrees() throws {
    if let derivingFailure { throw derivingFailure }
    try flushBuffers()
    if waiting != nil, !isRecomputing { try flushDerivations() }
  }

  /// Writes the pending changes of indexes and backlinks.
  func flushBuffers() throws {
    for buffer in treeBuffers { try buffer.flush(in: transaction, suspects: &suspects) }
  }

  /// Writes the pending changes, and checks that no two objects have the same values in a unique index.
  /// Products keep their notes before.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue` or `validationFailed`. The transaction must then not be
  ///   committed.
  package func finishTrees() throws {
    try keepPlaces()
    try flushTrees()
    if suspects.isEmpty { return try finishLimits() }
    defer { suspects = [] }
    for suspect in suspects { if let error = try duplicate(suspect) { throw error } }
    try finishLimits()
  }

  /// Flushes the pending changes if they take too much memory. Bytes in pages that were read before are
  /// invalid afterwards.
  func boundTreeBuffers() throws {
    updates &+= 1
    guard updates & boundingMask == 0 else { return }
    try boundLimitNotes()
    let size = treeBuffers.reduce(0) { $0 + $1.size } + (waiting?.size ?? 0)
    if size > largestWait { try flushTrees() }
  }

  /// Flushes the pending changes of trees if they take too much memory while derived properties are updated.
  func boundBuffers() throws {
    updates &+= 1
    guard updates & boundingMask == 0, treeBuffers.reduce(0, { $0 + $1.size }) > largestWait else { return }
    try flushBuffers()
  }
}
