import LMDB

extension RecordWriter {
  /// Deletes an object and follows the rules of its relationships. By default, the links to the object are
  /// cleared.
  ///
  /// - Returns: `false` if the object does not exist.
  /// - Throws: ``FiefError`` of code `deletionDenied`, possibly after some changes; see
  ///   ``undoable(where:_:)``.
  package func delete(key: UnsafeRawBufferPointer, from table: Table) throws -> Bool {
    let deletion = try Deletion(self)
    let isDeleted = try deletion.delete(key, from: table)
    try deletion.finish()
    return isDeleted
  }

  /// Deletes an object but not the links to it. The caller handles the links.
  ///
  /// - Returns: `false` if the object does not exist.
  func takeAway(key: UnsafeRawBufferPointer, from table: Table) throws -> Bool {
    if let earlierState { try earlierState.keep(key, of: table) }
    let cursor = try cursor(of: table)
    if table.needsOldRecord {
      try boundTreeBuffers()
      guard let old = try cursor.get(key) else { return false }
      if try table.hasLargeCollections(old) {
        let copy = [UInt8](old)
        try removeCollections(of: copy, key: key, from: table)
        try copy.withUnsafeBytes { try updateTrees(of: table, key: key, old: $0, new: nil) }
      } else {
        try updateTrees(of: table, key: key, old: old, new: nil)
      }
    }
    guard try cursor.delete(key) else { return false }
    collector?.delete(key, table)
    return true
  }

  /// Deletes every object of a type and follows the rules of its relationships.
  ///
  /// - Throws: The errors of ``delete(key:from:)``.
  func deleteAll(from table: Table) throws {
    try flushTrees()
    if try isEmptyManaged(table) { return }
    if earlierState == nil, canRemoveAll(of: table) {
      try noteDeletionOfAll(of: table)
      return try removeAll(of: table)
    }
    let deletion = try Deletion(self)
    try deletion.deleteAll(from: table)
    try deletion.finish()
  }

  /// Deletes every object of every type, without applying rules.
  func deleteEverything() throws {
    try flushTrees()
    for table in tables.all where try !isEmptyManaged(table) { try checkManaged(table) }
    for table in tables.all {
      if try table.records == nil || isEmptyManaged(table) { continue }
      try noteDeletionOfAll(of: table)
      try removeAll(of: table)
    }
    limitNotes.removeAll()
  }

  /// Whether a type is managed and has no objects. Such a type has nothing to refuse.
  private func isEmptyManaged(_ table: Table) throws -> Bool {
    guard table.isManaged, let records = table.records else { return false }
    return try transaction.count(records) == 0
  }

  /// Whether deleting all objects of a type only requires removing the entries of its own trees: no rule
  /// applies, and all links to the objects are links between them or links that stay.
  private func canRemoveAll(of table: Table) -> Bool {
    let rules = tables.rules(of: table)
    return rules.actions.isEmpty && rules.watches.isEmpty
      && rules.incoming.allSatisfy { $0.table == table.number }
      && table.derivations?.watched.isEmpty ?? true
  }

  private func removeAll(of table: Table) throws {
    try checkManaged(table)
    endCursor()
    willChange(table)
    if let records = table.records { tally.delete(table, count: try transaction.count(records)) }
    for index in table.indexes { try transaction.removeAll(index.database) }
    suspects.removeAll { $0.table === table }
    try removeAllCollections(of: table)
    for link in table.links { try transaction.removeAll(link.backlinks) }
    if let records = table.records { try transaction.removeAll(records) }
  }

  /// Records the deletion of all objects of a type for observers.
  private func noteDeletionOfAll(of table: Table) throws {
    guard let collector, let records = table.records else { return }
    let cursor = try transaction.cursor(records)
    var found = try cursor.first()
    while found {
      collector.delete(cursor.key, table)
      found = try cursor.next()
    }
  }

  /// Records the deletion of an object.
  func noteDeletion(of key: UnsafeRawBufferPointer, _ table: Table) {
    tally.delete(table)
    collector?.delete(key, table)
    trace?.noteDeletion(of: key, table)
  }

  /// Calls `body`. If a rule of `tables` can deny a deletion, a failure of `body` rolls back its changes.
  /// Otherwise the call has no additional cost.
  package func undoable<Value>(where tables: [Table], _ body: (RecordWriter) throws -> Value) throws -> Value
  {
    guard tables.contains(where: { self.tables.rules(of: $0).canBeDenied }) else { return try body(self) }
    return try undoable(body)
  }

  /// Calls `body`, and rolls back its changes if it fails.
  func undoable<Value>(_ body: (RecordWriter) throws -> Value) throws -> Value {
    try flushTrees()
    endCursor()
    try walks.keepAll()
    keepLoops()
    // Live objects are marked as deleted only when the deletion can no longer be rolled back.
    var derived: [(Table, key: [UInt8], record: [UInt8])] = []
    let (value, inner) = try transaction.nested { transaction in
      let writer = RecordWriter(
        tables: self.tables,
        transaction: transaction,
        collectsChanges: collector != nil
      )
      writer.trace = trace
      writer.earlierState = earlierState
      writer.isMigration = isMigration
      writer.writesManaged = writesManaged
      writer.readCommitted = readCommitted
      writer.timeOfWork = timeOfWork
      writer.derivesNothing = derivesNothing
      writer.knownCollections = knownCollections
      knownCollections = LargeCollectionCache(after: knownCollections)
      writer.didDerive = { [trace] table, key, record in
        if trace?.isLive(table, key) == true { derived.append((table, [UInt8](key), [UInt8](record))) }
      }
      let value = try body(writer)
      try writer.flushTrees()
      return (value, writer)
    }
    for (table, key, record) in derived {
      try key.withUnsafeBytes { key in try record.withUnsafeBytes { try didDerive?(table, key, $0) } }
    }
    // The outer writer checks for violations at the end of the write. Both writers use the same time.
    timeOfWork = inner.timeOfWork
    knownCollections = inner.knownCollections
    collectionChanges &+= inner.collectionChanges
    suspects += inner.suspects
    limitNotes.formUnion(inner.limitNotes)
    tally.append(inner.tally)
    if let inner = inner.collector { collector?.append(inner) }
    return value
  }
}

extension Deletion {
  /// The number of keys that are read in one batch.
  private static let keysAtOnce = 1024

  /// Deletes every object of a type. ``finish()`` completes the deletion.
  func deleteAll(from table: Table) throws {
    let records = try writer.records(of: table)
    while true {
      // Starting again is cheap. It is necessary because a rule may have deleted objects that were read
      // before.
      let cursor = try transaction.cursor(records)
      var keys: [[UInt8]] = []
      var found = try cursor.first()
      while found, keys.count < Self.keysAtOnce {
        keys.append([UInt8](cursor.key))
        found = try cursor.next()
      }
      if keys.isEmpty { return }
      for key in keys { _ = try key.withUnsafeBytes { try delete($0, from: table) } }
    }
  }
}
