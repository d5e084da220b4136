import LMDB

/// What a migration does by itself before its block runs: values whose type changed are converted where
/// that loses nothing, and new indexes are built.
struct MigrationConversion {
  let migration: Migration
  let stage: MigrationStage

  private struct Change {
    let from: ColumnEntry
    let to: ColumnEntry
  }

  func run() throws {
    for entry in stage.working.catalogue.types where !entry.isEmbedded {
      guard let old = stage.stored.type(named: entry.name), !old.isEmbedded else { continue }
      let changes = entry.currentColumns.compactMap { column -> Change? in
        guard let before = old.column(named: column.name), before.id != column.id else { return nil }
        return Change(from: before, to: column)
      }
      let convertible = changes.filter { Self.isConvertible(from: $0.from.type, to: $0.to.type) }
      if !convertible.isEmpty { try convert(convertible, of: entry.name) }
      let fresh = entry.currentColumns.filter { column in
        column.isIndexed && old.column(column.id)?.isIndexed != true
          && !convertible.contains { $0.to.id == column.id }
      }
      if !fresh.isEmpty { try buildIndexes(of: fresh, typeName: entry.name) }
    }
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

  private func buildIndexes(of columns: [ColumnEntry], typeName: String) throws {
    guard let table = migration.table(typeName), let records = table.records else { return }
    let indexes = table.indexes.filter { index in columns.contains { $0.id == index.column.id } }
    let cursor = try migration.writer.transaction.cursor(records)
    while try cursor.next() {
      try migration.writer.addToIndexes(indexes, of: table, key: cursor.key, record: cursor.value)
    }
  }
}
