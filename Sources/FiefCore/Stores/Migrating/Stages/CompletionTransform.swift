import LMDB

/// Creates the final records of a stage from the records after its block.
final class CompletionTransform {
  private let migration: Migration
  private let stage: MigrationStage
  private let before: StoreTables
  private let after: StoreTables
  private let transform: RecordTransform
  /// The types whose objects have new keys, or whose objects were deleted without updating the links to them.
  private let changedTargets: Set<String>
  /// The embedded types whose records must be rewritten.
  private let changedEmbedded: Set<String>

  /// Returns the name of the temporary tree for the keys of the objects that became embedded.
  static func linkedTree(of type: String) -> String { "linked:\(type)" }

  init(migration: Migration, stage: MigrationStage, before: StoreTables, after: StoreTables) throws {
    self.migration = migration
    self.stage = stage
    self.before = before
    self.after = after
    transform = RecordTransform(from: before, to: after)
    let working = stage.working
    let targets = working.rekeyed.union(stage.movedFrom)
    changedTargets = targets
    changedEmbedded = EmbeddedTypes.containing(in: after) { column, table in
      Self.isChanged(column, of: table, before: before, targets: targets)
    }
    let changedEmbedded = changedEmbedded
    transform.source = { column, from, to in
      let own = from.entry.column(named: column.name)
      if column.type.isLink {
        guard Self.isChanged(column, of: to, before: before, targets: targets) else {
          return own.map { .copy($0) } ?? .missing
        }
        return .links(own: own, pending: Self.pending(for: column, in: from))
      }
      guard let own else { return .missing }
      if column.type.kind == .any, own.type.kind == .any,
        Self.isChanged(column, of: to, before: before, targets: targets)
      {
        return .values(own)
      }
      if column.type.kind == .embedded, own.type.isLink { return .inline(own) }
      if column.type.kind == .embedded, let target = column.type.target, changedEmbedded.contains(target) {
        return .nested(own)
      }
      return stage.isGenerated(own, of: from.name) ? .generate : .copy(own)
    }
    transform.mapLink = { [unowned self] column, type, key in try self.mapped(column, type, key) }
    transform.mapReference = { [unowned self] in try self.mapped($0) }
    transform.inline = { [unowned self] type, key, depth in try self.embedded(type, key, depth) }
  }

  private static func pending(for column: ColumnEntry, in table: Table) -> [ColumnEntry] {
    table.entry.currentColumns.filter { candidate in
      WorkingSchema.isPending(candidate)
        && candidate.name == WorkingSchema.pendingName(of: column.name, from: candidate.type.target ?? "")
    }
  }

  private static func isChanged(
    _ column: ColumnEntry,
    of table: Table,
    before: StoreTables,
    targets: Set<String>
  ) -> Bool {
    guard let old = before[table.name] else { return false }
    // The types of the objects in the value are unknown.
    if column.type.kind == .any { return !targets.isEmpty }
    if column.type.isLink {
      return column.type.target.map(targets.contains) == true || !pending(for: column, in: old).isEmpty
    }
    return column.type.kind == .embedded && old.entry.column(named: column.name)?.type.isLink == true
  }

  /// Returns the record of an object in its new layout, with updated links.
  func object(_ record: [UInt8], key: [UInt8], type: String) throws -> [UInt8] {
    try key.withUnsafeBytes { key in
      try record.withUnsafeBytes { try transform.record($0, key: key, type: type, isEmbedded: false) }
    }
  }

  // MARK: Links

  private func mapped(_ column: ColumnEntry, _ type: String, _ key: UnsafeRawBufferPointer) throws -> [UInt8]?
  {
    var key = [UInt8](key)
    if WorkingSchema.isPending(column) {
      let moves = Migration.movesTree(from: column.type.target ?? "", to: type)
      guard let moved = try key.withUnsafeBytes({ try migration.temporary.value($0, in: moves) }) else {
        return nil
      }
      key = moved
    }
    return try key.withUnsafeBytes { try kept(type, $0) }
  }

  /// Returns the key of an object after the stage, or `nil` if the object was deleted.
  private func kept(_ type: String, _ key: UnsafeRawBufferPointer) throws -> [UInt8]? {
    if stage.working.rekeyed.contains(type) {
      return try migration.temporary.value(key, in: Rekeying.tree(of: type))
    }
    guard let records = before[type]?.records else { return nil }
    return try migration.writer.transaction.get(records, key).map { _ in [UInt8](key) }
  }

  /// Returns the reference to an object in an `AnyRealmValue` after the stage. The object may have a new key,
  /// or may have been moved to another type.
  private func mapped(_ reference: ObjectReference) throws -> ObjectReference? {
    let stored = before[number: reference.type]?.entry ?? stage.stored.types.first { $0.id == reference.type }
    guard let source = stored else { return nil }
    return try mapped(source.name, reference.key, moves: 0)
  }

  /// - Parameter moves: the number of moves so far, at most one for each type.
  private func mapped(_ type: String, _ key: [UInt8], moves: Int) throws -> ObjectReference? {
    try key.withUnsafeBytes { bytes in
      if let same = after[type], let kept = try kept(type, bytes) {
        return ObjectReference(type: same.entry.id, key: kept)
      }
      guard moves < after.all.count else { return nil }
      for target in after.all where target.records != nil {
        let tree = Migration.movesTree(from: type, to: target.name)
        guard let moved = try migration.temporary.value(bytes, in: tree) else { continue }
        if let found = try mapped(target.name, moved, moves: moves + 1) { return found }
      }
      return nil
    }
  }

  private func embedded(_ type: String, _ key: UnsafeRawBufferPointer, _ depth: Int) throws -> [UInt8]? {
    let transaction = migration.writer.transaction
    guard let table = before[type], let records = table.records,
      let record = try transaction.get(records, key)
    else { return nil }
    let copy = try migration.expanded([UInt8](record), table)
    let linked = try migration.temporary.tree(Self.linkedTree(of: type))
    if try transaction.get(linked, key) == nil {
      try transaction.put(linked, key, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return try copy.withUnsafeBytes {
      try transform.record($0, key: key, type: type, isEmbedded: true, depth: depth)
    }
  }

  // MARK: Types that keep their keys

  /// Rewrites the records of a type whose links or embedded objects have changed.
  func follow(in table: Table) throws {
    guard let records = table.records, let old = before[table.name], old.records == records else { return }
    let links = table.links.filter {
      Self.isChanged($0.column, of: table, before: before, targets: changedTargets)
    }
    let isChanged = table.entry.currentColumns.contains { column in
      Self.isChanged(column, of: table, before: before, targets: changedTargets)
        || column.type.kind == .embedded && column.type.target.map(changedEmbedded.contains) == true
    }
    guard isChanged else { return }
    let transaction = migration.writer.transaction
    let part = migration.progress.begin(
      "\(table.name): following links",
      total: try transaction.count(records)
    )
    for link in links { try transaction.removeAll(link.backlinks) }
    let cursor = try transaction.writeCursor(records)
    var stream = try RecordStream(records, of: transaction)
    while let (key, record) = try stream.next() {
      let whole = try migration.expanded(record, old)
      let new = try object(whole, key: key, type: table.name)
      try key.withUnsafeBytes { key in
        try new.withUnsafeBytes { new in
          try migration.writer.addBacklinks(along: links, of: table, key: key, record: new)
          // The large collection may now link to other objects, so it is rewritten.
          if whole != record { try migration.writer.removeCollections(of: record, from: old) }
          if try table.hasLargeCollections(new) {
            let record = try migration.writer.movingLargeCollections(
              new,
              old: nil,
              key: key,
              table,
              notesLinks: false
            )
            try record.withUnsafeBytes { try migration.writer.store(key, $0, in: table, cursor) }
          } else if !new.elementsEqual(record) {
            try migration.writer.store(key, new, in: table, cursor)
          }
        }
      }
      part.advance()
    }
    part.finish()
    let values = table.entry.currentColumns.filter { $0.type.kind == .any }
    try rebuildIndexes(of: links.map(\.column.id) + values.map(\.id), in: table)
  }

  /// Rebuilds the indexes of link columns whose objects have new keys.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue`.
  private func rebuildIndexes(of columns: [UInt16], in table: Table) throws {
    let indexes = table.indexes.filter { index in index.columns.contains { columns.contains($0.id) } }
    if indexes.isEmpty { return }
    // The writer has unwritten index entries from the block's changes. They are flushed first, because the
    // builder replaces the whole tree.
    try migration.writer.flushTrees()
    try IndexBuilder(migration, table, indexes).build()
  }
}
