import LMDB

/// Computes derived properties for all objects in a migration if the properties are new or their source has
/// changed.
struct MigrationDerivations {
  let migration: Migration
  let stage: MigrationStage
  /// The catalogue of the stage's schema.
  let catalogue: Catalogue

  /// Computes the derived properties. All other work of the stage except building the new indexes must be
  /// done before.
  func run() throws {
    let tables = migration.writer.tables
    guard tables.hasDerived else { return }
    let moved = stage.working.rekeyed.union(stage.working.promoted).union(stage.movedFrom)
      .union(stage.working.demoted)
    for table in tables.all {
      guard let derivations = table.derivations, !derivations.columns.isEmpty else { continue }
      let isNew = derivations.columns.contains { column in
        isChanged(column, table) || isMoved(column, table, moved)
      }
      if isNew { try make(derivations, table) }
    }
  }

  private func isMoved(_ column: DerivedColumn, _ table: Table, _ moved: Set<String>) -> Bool {
    if column.slot < 0 || moved.isEmpty { return false }
    return moved.contains(table.name) || column.source?.type.target.map(moved.contains) == true
  }

  /// Whether a property is new or its source has changed in the stage.
  private func isChanged(_ column: DerivedColumn, _ table: Table) -> Bool {
    let name = table.name
    guard let old = stage.stored.type(named: name), let new = catalogue.type(named: name),
      let before = old.derived.first(where: { $0.column == column.column.id }),
      let after = new.derived.first(where: { $0.column == column.column.id }), before == after,
      isSame(before.column, old, new), before.source.map({ isSame($0, old, new) }) ?? true
    else { return true }
    guard column.slot >= 0, let source = column.source, let target = source.type.target else { return false }
    guard let former = stage.stored.type(named: target), let other = catalogue.type(named: target) else {
      return true
    }
    return isOther(source.originProperty, former, other) || isOther(after.target, former, other)
  }

  private func isSame(_ id: UInt16, _ old: TypeEntry, _ new: TypeEntry) -> Bool {
    guard let first = old.column(id), let second = new.column(id) else { return false }
    return first.type == second.type && first.originProperty == second.originProperty
  }

  /// Whether a name now refers to another column.
  private func isOther(_ name: String?, _ old: TypeEntry, _ new: TypeEntry) -> Bool {
    guard let name else { return false }
    guard let first = old.column(named: name), let second = new.column(named: name) else { return true }
    return first.id != second.id || first.type != second.type
  }

  private func make(_ derivations: TableDerivations, _ table: Table) throws {
    guard let records = table.records else { return }
    let writer = migration.writer
    let transaction = writer.transaction
    let part = migration.progress.begin(
      "\(table.name): deriving properties",
      total: try transaction.count(records)
    )
    let columns = derivations.columns
    var stream = try RecordStream(records, of: transaction)
    while let (key, record) = try stream.next() {
      try writer.boundTreeBuffers()
      try key.withUnsafeBytes { key in
        try record.withUnsafeBytes { bytes in
          let view = try table.view(bytes)
          try view.verifyChecksum(key, of: table)
          let payloads = try payloads(derivations, table, view: view, key: key)
          guard let new = try RecordWriter.record(of: table, view: view, key: key, columns, payloads) else {
            return
          }
          try new.withUnsafeBytes { try writer.replace(key: key, record: $0, in: table, isBounded: true) }
        }
      }
      part.advance()
    }
    part.finish()
    try writer.flushTrees()
  }

  private func payloads(
    _ derivations: TableDerivations,
    _ table: Table,
    view: RecordView,
    key: UnsafeRawBufferPointer
  ) throws -> [[UInt8]?] {
    let writer = migration.writer
    let calculation = DerivedCalculation(
      tables: writer.tables,
      transaction: writer.transaction,
      looksUpAllMembers: true
    ) { writer.former($0, $1) }
    var made: [UInt16: [UInt8]?] = [:]
    for group in derivations.owned {
      let values = try calculation.values(of: group, key: key, view: view)
      for (column, value) in zip(group.columns, values) {
        made[column.column.id] = .some(value.payload(column.column.type.kind))
        // The new value already includes these changes.
        writer.waiting?.knownOwners(of: derivations)?.forget(column, of: key)
      }
    }
    return try derivations.columns.map { column -> [UInt8]? in
      if let made = made[column.column.id] { return made }
      guard column.kind == .lastChange else {
        return try calculation.ownPayload(of: column, in: view, of: table, key: key)
      }
      if isChanged(column, table) { return writer.time().payload(column.column.type.kind) }
      var payload: [UInt8]?
      try table.payload(of: column.column, in: view) { payload = $0.map { [UInt8]($0) } }
      return payload
    }
  }
}
