import LMDB

extension Migration {
  /// Begins a stage with a schema.
  ///
  /// - Parameter schema: the classes. The stage starts from the catalogue of the previous stage.
  @discardableResult
  func begin(_ schema: DeclaredSchema) throws -> MigrationStage {
    if let failure { throw failure }
    let names = stageCount < renames.count ? renames[stageCount] : MigrationRenames()
    let renamed = try names.applied(to: stored)
    let transaction = writer.transaction
    let isFirst = stageCount == 0
    let old = EarlierState(
      tables: try tables(of: stored, formerKeys: [:]),
      transaction: isFirst ? oldTransaction : transaction,
      formerNames: names.formerTypeNames,
      temporary: isFirst ? nil : temporary
    )
    let working = try WorkingSchema(renamed, for: schema) { entry in
      guard !entry.isEmbedded, let tree = try transaction.database(named: entry.tree) else { return 0 }
      return try transaction.count(tree)
    }
    let stage = MigrationStage(schema: schema, old: old, stored: renamed, working: working)
    self.stage = stage
    stageCount += 1
    writer.limitedTypes = []
    try reopenTables()
    writer.earlierState = isFirst ? nil : old
    try EmbeddedConversion(migration: self, stage: stage).run()
    try MigrationConversion(migration: self, stage: stage).run()
    return stage
  }

  /// Ends a stage. Afterwards the catalogue describes the stage's schema, and all objects are at their final
  /// locations.
  func finishStage() throws {
    if let failure { throw failure }
    guard let stage else { return }
    writer.earlierState = nil
    try writer.flushTrees()
    let loss = ValueLoss(migration: self, stage: stage)
    try loss.check()
    dropped += try loss.dropped()
    // Objects are moved with their current values.
    writer.derivesNothing = true
    let catalogue = try StageCompletion(migration: self, stage: stage).run()
    try writer.flushTrees()
    writer.derivesNothing = false
    try MigrationDerivations(migration: self, stage: stage, catalogue: catalogue).run()
    try MigrationConversion(migration: self, stage: stage).finish(catalogue)
    try checkUnique()
    try checkLimits(of: stage)
    try dropUnused(keeping: catalogue)
    try dropUnusedCollections(keeping: catalogue)
    try temporary.dropAll()
    stored = catalogue
    self.stage = nil
  }

  /// Reopens the tables after a change of the working catalogue during a stage.
  func reopenTables() throws {
    guard let stage else { return }
    try writer.flushTrees()
    let working = stage.working
    writer.tables = try tables(of: working.catalogue, formerKeys: working.formerKeys)
    changeCount &+= 1
  }

  /// Returns the tables of a catalogue, and creates missing trees.
  func tables(of catalogue: Catalogue, formerKeys: [UInt32: [ColumnEntry]]) throws -> StoreTables {
    var handles: [String: Database] = [:]
    for name in catalogue.treeNames {
      handles[name] = try writer.transaction.openDatabase(named: name)
      treeNames.insert(name)
    }
    let cipher = (writer.transaction.sealing as? StoreSealer)?.cipher
    return StoreTables(
      storeName: configuration.name,
      catalogueTree: writer.tables.catalogueTree,
      collections: try writer.transaction.database(named: Catalogue.collectionTreeName),
      all: catalogue.types.map { entry in
        StoreOpening.table(for: entry, formerKey: formerKeys[entry.id] ?? [], cipher: cipher) { handles[$0] }
      },
      clock: configuration.options.clock
    )
  }

  /// Removes the large collections of removed properties and types.
  private func dropUnusedCollections(keeping catalogue: Catalogue) throws {
    let transaction = writer.transaction
    guard let tree = try transaction.database(named: Catalogue.collectionTreeName) else { return }
    var used: Set<[UInt8]> = []
    for entry in catalogue.types where !entry.isEmbedded {
      for column in entry.currentColumns where column.type.container != .none {
        used.insert(CollectionMarker.columnPrefix(type: entry.id, column: column.id))
      }
    }
    let length = CollectionMarker.columnPrefix(type: 0, column: 0).count
    var next: [UInt8] = [0]
    while true {
      let cursor = try transaction.cursor(tree)
      guard try next.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }) else { return }
      let prefix = [UInt8](cursor.key.prefix(length))
      if !used.contains(prefix) { try LargeCollection.removeAll(prefix, in: tree, of: transaction) }
      next = prefix + [UInt8](repeating: 0xFF, count: 9)
    }
  }

  private func dropUnused(keeping catalogue: Catalogue) throws {
    let used = Set(catalogue.treeNames)
    for name in treeNames.subtracting(used).sorted() {
      if let tree = try writer.transaction.database(named: name) { try writer.transaction.drop(tree) }
    }
    treeNames = used
    let ids = Set(catalogue.types.map(\.id))
    for entry in stored.types where !ids.contains(entry.id) {
      _ = try RecordWriter.rowIDKey(ofTypeWithID: entry.id).withUnsafeBytes {
        try writer.transaction.delete(writer.tables.catalogueTree, $0)
      }
    }
  }
}
