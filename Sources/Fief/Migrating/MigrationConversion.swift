import LMDB

/// What a migration does by itself before its block runs and after it: values whose type changed are
/// converted where records have to be rewritten for that, and indexes are brought to the new types.
struct MigrationConversion {
  let migration: Migration
  let stored: Catalogue

  private struct Change {
    let from: ColumnEntry
    let to: ColumnEntry
  }

  /// Does what the block relies on: after it every property reads as one of the new type.
  func run() throws {
    for entry in migration.catalogue.types where !entry.isEmbedded {
      guard let old = stored.type(named: entry.name) else { continue }
      let indexes = MigrationIndexes(migration: migration, stored: old)
      for column in entry.currentColumns { try indexes.moveNil(ofColumn: column.id) }
      let changes = entry.currentColumns.compactMap { column -> Change? in
        guard let before = old.column(named: column.name), before.id != column.id,
          Self.isConvertible(from: before.type, to: column.type)
        else { return nil }
        return Change(from: before, to: column)
      }
      if !changes.isEmpty { try convert(changes, of: entry.name) }
    }
  }

  /// Builds the indexes that are new, once the block has changed what it wants to change, and drops the trees
  /// that nothing names any more.
  func finish() throws {
    try migration.writer.flushTrees()
    for entry in migration.catalogue.types where !entry.isEmbedded {
      guard let old = stored.type(named: entry.name) else { continue }
      try MigrationIndexes(migration: migration, stored: old).build()
    }
    try migration.writer.flushTrees()
    try dropUnusedTrees()
  }

  /// Whether values are taken over without the block: between integers, from integers and floats to
  /// doubles, and between optional and required.
  static func isConvertible(from: ColumnType, to: ColumnType) -> Bool {
    guard from.container == .none, to.container == .none else { return false }
    if from.kind == to.kind { return from.target == to.target }
    let integers: Set<ColumnType.Kind> = [.int8, .int16, .int32, .int64]
    if integers.contains(from.kind) { return integers.contains(to.kind) || to.kind == .double }
    return from.kind == .float && to.kind == .double
  }

  private func convert(_ changes: [Change], of typeName: String) throws {
    migration.enumerateObjects(ofType: typeName) { old, new in
      guard let old, let new else { return }
      for change in changes {
        let value = old[change.from.name]
        // nil becomes the default where the property is now required.
        if value == nil, !change.to.type.isOptional { continue }
        new[change.to.name] = value
      }
    }
    if let failure = migration.failure { throw failure }
  }

  /// Those of types and columns that are gone, and those that were made for a column that a renamed one has
  /// taken the place of.
  private func dropUnusedTrees() throws {
    let transaction = migration.writer.transaction
    let used = Set(migration.catalogue.types.flatMap(StoreOpening.treeNames) + [StoreOpening.catalogueTree])
    for name in try transaction.databaseNames() where !used.contains(name) {
      if let tree = try transaction.database(named: name) { try transaction.drop(tree) }
    }
  }
}
