import LMDB

/// Before the block runs, rewrites the owners of embedded objects that must change.
///
/// Values whose type changed are converted. Objects of classes that are no longer embedded become separate
/// objects, and links to them replace them in their owners.
struct EmbeddedConversion {
  let migration: Migration
  let stage: MigrationStage

  func run() throws {
    let tables = migration.writer.tables
    let containing = EmbeddedTypes.containing(in: tables) { isChanged($0, of: $1) }
    let promoted = stage.working.promoted
    if containing.isEmpty, promoted.isEmpty { return }
    let transform = transform(tables, containing)
    for table in tables.all where !promoted.contains(table.name) {
      guard let records = table.records, stage.stored.type(named: table.name)?.isEmbedded == false,
        table.entry.currentColumns.contains(where: { column in
          extractedColumn(column, of: table) != nil
            || column.type.kind == .embedded && column.type.target.map(containing.contains) == true
        })
      else { continue }
      try rewrite(table, records, with: transform)
    }
  }

  private func transform(_ tables: StoreTables, _ containing: Set<String>) -> RecordTransform {
    let transform = RecordTransform(from: tables, to: tables)
    transform.source = { column, _, table in
      if let former = extractedColumn(column, of: table) { return .extract(former) }
      if let former = convertedColumn(column, of: table) { return .convert(former) }
      if column.type.kind == .embedded, let target = column.type.target, containing.contains(target) {
        return .nested(column)
      }
      return stage.isGenerated(column, of: table.name) ? .generate : .copy(column)
    }
    transform.convert = { type, former, column, payload in
      let conversion = migration.conversion(type: type, property: column.name)
      return try MigrationConversion.converted(payload, from: former, to: column, conversion)
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
    return transform
  }

  private func rewrite(_ table: Table, _ records: Database, with transform: RecordTransform) throws {
    let transaction = migration.writer.transaction
    let part = migration.progress.begin(
      "\(table.name): converting embedded objects",
      total: try transaction.count(records)
    )
    var stream = try RecordStream(records, of: transaction, isBounded: true)
    while let (key, record) = try stream.next() {
      try key.withUnsafeBytes { bytes in
        let new = try migration.expanded(record, table).withUnsafeBytes { record in
          do {
            return try transform.record(record, key: bytes, type: table.name, isEmbedded: false)
          } catch var error as FiefError {
            error.key = error.key ?? table.text(ofKey: key)
            if error.type != table.name { error.lines.append("in an object of \(table.name)") }
            throw error
          }
        }
        try new.withUnsafeBytes { try migration.writer.put(key: bytes, record: $0, into: table) }
      }
      part.advance()
    }
    part.finish()
  }

  private func isChanged(_ column: ColumnEntry, of table: Table) -> Bool {
    extractedColumn(column, of: table) != nil || convertedColumn(column, of: table) != nil
  }

  /// Returns the column of embedded objects that a column of links replaces.
  private func extractedColumn(_ column: ColumnEntry, of table: Table) -> ColumnEntry? {
    guard column.type.isLink, let target = column.type.target, stage.working.promoted.contains(target),
      let former = formerColumn(column, of: table), former.type.kind == .embedded,
      former.type.target == target, former.type.container == column.type.container
    else { return nil }
    return former
  }

  /// Returns the column of an embedded type whose values are converted for a column with another type.
  private func convertedColumn(_ column: ColumnEntry, of table: Table) -> ColumnEntry? {
    guard !column.type.isLink, column.type.kind != .embedded, column.type.isStored,
      stage.stored.type(named: table.name)?.isEmbedded == true,
      let former = formerColumn(column, of: table),
      MigrationConversion.isConvertible(from: former.type, to: column.type)
    else { return nil }
    return former
  }

  /// Returns the former column of a property whose column was replaced.
  private func formerColumn(_ column: ColumnEntry, of table: Table) -> ColumnEntry? {
    guard let former = stage.stored.type(named: table.name)?.column(named: column.name),
      former.id != column.id
    else { return nil }
    return table.entry.column(former.id)
  }
}
