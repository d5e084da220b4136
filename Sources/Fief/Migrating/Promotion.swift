import LMDB

/// Makes embedded objects of classes that are no longer embedded objects of their own, and links to them out of
/// what their owners had; before the block runs.
struct Promotion {
  let migration: Migration
  let stage: MigrationStage

  func run() throws {
    let tables = migration.writer.tables
    let containing = EmbeddedTypes.containing(in: tables) { isExtracted($0, of: $1) }
    let transform = RecordTransform(from: tables, to: tables)
    transform.source = { column, _, table in
      if let former = formerColumn(column, of: table) { return .extract(former) }
      if column.type.kind == .embedded, let target = column.type.target, containing.contains(target) {
        return .nested(column)
      }
      return stage.isGenerated(column, of: table.name) ? .generate : .copy(column)
    }
    transform.extract = { [unowned transform] type, record, depth in
      guard let table = tables[type] else { throw migration.unknownType(type) }
      let key = try migration.newKey(for: table, in: stage)
      let object = try transform.record(record, key: nil, type: type, isEmbedded: false, depth: depth)
      try key.withUnsafeBytes { key in
        try object.withUnsafeBytes { try migration.writer.put(key: key, record: $0, into: table) }
      }
      return key
    }
    for table in tables.all where !stage.working.promoted.contains(table.name) {
      guard let records = table.records, stage.stored.type(named: table.name) != nil,
        table.entry.currentColumns.contains(where: { column in
          isExtracted(column, of: table)
            || column.type.kind == .embedded && column.type.target.map(containing.contains) == true
        })
      else { continue }
      try rewrite(table, records, with: transform)
    }
  }

  private func rewrite(_ table: Table, _ records: Database, with transform: RecordTransform) throws {
    let transaction = migration.writer.transaction
    let part = migration.progress.begin(
      "\(table.name): taking embedded objects out",
      total: try transaction.count(records)
    )
    var stream = try RecordStream(records, of: transaction, isBounded: true)
    while let (key, record) = try stream.next() {
      try key.withUnsafeBytes { key in
        let new = try record.withUnsafeBytes {
          try transform.record($0, key: key, type: table.name, isEmbedded: false)
        }
        try new.withUnsafeBytes { try migration.writer.put(key: key, record: $0, into: table) }
      }
      part.advance()
    }
    part.finish()
  }

  private func isExtracted(_ column: ColumnEntry, of table: Table) -> Bool {
    formerColumn(column, of: table) != nil
  }

  /// The column of embedded objects that a column of links takes the place of.
  private func formerColumn(_ column: ColumnEntry, of table: Table) -> ColumnEntry? {
    guard column.type.isLink, let target = column.type.target, stage.working.promoted.contains(target),
      let former = stage.stored.type(named: table.name)?.column(named: column.name),
      former.type.kind == .embedded, former.type.target == target,
      former.type.container == column.type.container
    else { return nil }
    return table.entry.column(former.id)
  }
}

/// Which embedded types have something in them.
enum EmbeddedTypes {
  /// The embedded types with a column that fulfils a condition, in them or in what they embed.
  static func containing(
    in tables: StoreTables,
    _ isWanted: (ColumnEntry, Table) throws -> Bool
  ) rethrows -> Set<String> {
    var found: Set<String> = []
    for table in tables.all where table.records == nil {
      if try table.entry.currentColumns.contains(where: { try isWanted($0, table) }) {
        found.insert(table.name)
      }
    }
    var before = -1
    while before != found.count {
      before = found.count
      for table in tables.all where table.records == nil && !found.contains(table.name) {
        let embeds = table.entry.currentColumns.contains {
          $0.type.kind == .embedded && $0.type.target.map(found.contains) == true
        }
        if embeds { found.insert(table.name) }
      }
    }
    return found
  }
}
