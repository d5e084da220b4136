import LMDB

extension Migration {
  /// Calls a closure with each object of a type in its old and its new state.
  ///
  /// Assignments to the new object are written when the closure returns. The loop covers the objects that
  /// existed before the migration and were not deleted in it. In a step with its own classes it covers the
  /// objects from before that step. If the type is new, the loop covers the objects that existed when it
  /// began, and the old object is `nil`. If the type is removed, the new object is `nil`. Objects are read in
  /// batches, so memory use does not grow with their number.
  ///
  /// For an embedded type the loop covers the embedded objects in objects of all types, at any depth. Each is
  /// paired with the former object at the same position of the list or with the same key in the map.
  /// Assignments to an embedded object change its owner.
  ///
  /// If neither schema has the type, there are no objects, and the store's event handler receives a `misuse`
  /// event that names the type. An invalid assignment ends the migration with an error.
  ///
  /// - Parameters:
  ///   - typeName: the type's name in the store.
  ///   - block: a closure that receives the old and the new object.
  /// - Throws: an error of the block.
  public func enumerateObjects(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    if isEmbedded(typeName) { return try enumerateEmbedded(typeName, block) }
    guard var pairs = attempt(nil, { try loop(over: typeName, $0) }) else { return }
    defer { pairs.end() }
    while let next = attempt(nil, { _ in try pairs.next() }) {
      try block(next.old, next.new)
      attempt(()) { _ in try next.new?.write() }
      pairs.part.advance()
    }
    if failure == nil { pairs.part.finish() }
  }

  private func loop(over name: String, _ stage: MigrationStage) throws -> MigrationPairs? {
    if stage.old.table(name) == nil, table(name) == nil {
      configuration.reporter.send(
        .misuse(
          FiefError(
            .unknownType,
            "A migration enumerates the objects of a type that neither schema has.",
            store: configuration.name,
            type: name
          )
        )
      )
      return nil
    }
    return try MigrationPairs(self, stage, typeName: name)
  }

  /// Returns the current object with a key in a table, or `nil` if no object has the key.
  func currentObject(of table: Table, key: [UInt8]) throws -> MigrationObject? {
    guard let records = table.records, ObjectKey.lengths.contains(key.count) else { return nil }
    return try key.withUnsafeBytes { bytes in
      guard let record = try writer.transaction.get(records, bytes) else { return nil }
      let whole = try expanded([UInt8](record), table)
      return try MigrationObject(self, table: table, key: key, record: whole, old: nil)
    }
  }

  /// Returns a record with the current contents of its large collections inlined.
  func expanded(_ record: [UInt8], _ table: Table) throws -> [UInt8] {
    try record.withUnsafeBytes {
      try RecordEditor.expanded($0, table, writer.tables, in: writer.transaction)
    } ?? record
  }
}

/// The old objects of a type, each with its current state.
private struct MigrationPairs {
  private enum Source {
    case earlier(Table, EarlierStream)
    /// The objects of a new type, and the number of the loop.
    case current(RecordStream, loop: Int)
  }

  let part: MigrationProgressReporter.Part
  private let migration: Migration
  private let stage: MigrationStage
  private let typeName: String
  private var source: Source

  init(_ migration: Migration, _ stage: MigrationStage, typeName: String) throws {
    self.migration = migration
    self.stage = stage
    self.typeName = typeName
    let total: Int
    if let table = stage.old.table(typeName), let records = table.records {
      source = .earlier(table, try stage.old.stream(of: table, records))
      total = try stage.old.transaction.count(records)
    } else if let records = migration.table(typeName)?.records {
      let transaction = migration.writer.transaction
      stage.lastLoop += 1
      stage.loops[typeName, default: []].insert(stage.lastLoop)
      source = .current(
        try RecordStream(records, of: transaction, isBounded: true),
        loop: stage.lastLoop
      )
      total = try transaction.count(records)
    } else {
      throw migration.unknownType(typeName)
    }
    part = migration.progress.begin("\(typeName): going through objects", total: total)
  }

  mutating func next() throws -> (old: MigrationObject?, new: MigrationObject?)? {
    while let (old, key) = try step() {
      // The table is looked up each time, because the block may change the tables.
      guard let table = migration.table(typeName) else { return (old, nil) }
      if let new = try migration.currentObject(of: table, key: key) {
        new.writesAtOnce = false
        return (old, new)
      }
    }
    return nil
  }

  private mutating func step() throws -> (MigrationObject?, [UInt8])? {
    switch source {
    case .earlier(let table, var stream):
      let next = try stream.next()
      source = .earlier(table, stream)
      guard let (key, record) = next else { return nil }
      return (try MigrationObject(migration, table: table, key: key, record: record, old: stage.old), key)
    case .current(var stream, let loop):
      defer { source = .current(stream, loop: loop) }
      while let (key, _) = try stream.next() {
        let isNew = try key.withUnsafeBytes {
          try migration.temporary.value($0, in: MigrationStage.createdTree(loop)) != nil
        }
        if !isNew { return (nil, key) }
      }
      return nil
    }
  }

  /// Ends the loop, for whatever reason.
  func end() {
    if case .current(_, let loop) = source { stage.loops[typeName]?.remove(loop) }
  }
}
