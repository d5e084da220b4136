import LMDB

/// The indexes of one type in a migration. New indexes are built, and indexes of columns with a new type are
/// adapted.
struct MigrationIndexes {
  /// The number of entries that are moved at once.
  private static let batch = 4096

  let migration: Migration
  /// The former entry of the type.
  let stored: TypeEntry

  private var table: Table? { migration.table(stored.name) }

  /// Replaces the index entries for nil with entries for the value that replaces nil.
  ///
  /// Skips indexes whose entries all change, because ``build()`` rebuilds them.
  func moveNil(ofColumn id: UInt16) throws {
    guard let table, let index = table.indexes.first(where: { $0.entry.isPlain && $0.column.id == id }),
      let old = stored.column(id), old.type.isOptional, !isNew(index),
      let payload = index.column.conversion(from: UInt16(truncatingIfNeeded: stored.layouts.count - 1))?
        .nilPayload
    else { return }
    var null = KeyEncoder()
    null.appendNull()
    var value = KeyEncoder()
    try payload.withUnsafeBytes { try KeyCoding.append($0, kind: index.column.type.kind, to: &value) }
    if index.column.isSecret, let secrets = table.secrets {
      let token = value.bytes.withUnsafeBytes { secrets.token(of: $0, index.column.id, isFolded: false) }
      value.removeAll()
      value.append(raw: token)
    }
    let buffer = migration.writer.buffer(index.database)
    try migration.writer.flushTrees()
    while try noteNil(in: index.database, null.bytes, value.bytes, buffer) {
      try migration.writer.flushTrees()
    }
  }

  /// Replaces the first entries for nil. Returns false if there are no more such entries.
  private func noteNil(in tree: Database, _ null: [UInt8], _ value: [UInt8], _ buffer: TreeBuffer) throws
    -> Bool
  {
    let cursor = try migration.writer.transaction.cursor(tree)
    var found = try null.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    var count = 0
    while found, count < Self.batch, cursor.key.starts(with: null) {
      let key = CompositeKey.objectKey(key: cursor.key, value: cursor.value, prefixCount: null.count)
      key.bytes.withUnsafeBytes { key in
        null.withUnsafeBytes { buffer.note(first: $0, objectKey: key, isAdded: false) }
        value.withUnsafeBytes { buffer.note(first: $0, objectKey: key, isAdded: true) }
      }
      count += 1
      found = try cursor.next()
    }
    return count > 0
  }

  /// Builds the new indexes from the records, in bounded memory.
  func build() throws {
    guard let table, let records = table.records else { return }
    let fresh = table.indexes.filter(isNew)
    guard !fresh.isEmpty, try migration.writer.transaction.count(records) > 0 else { return }
    try migration.writer.flushTrees()
    try IndexBuilder(migration, table, fresh).build()
  }

  /// Whether an index must be built from scratch because it was added or its values are encoded differently
  /// in keys now. Integers of all widths have the same encoding in keys.
  private func isNew(_ index: Table.Index) -> Bool {
    guard stored.indexes.contains(where: { $0.id == index.entry.id }) else { return true }
    guard index.entry.isPlain, let old = stored.column(index.column.id) else { return false }
    return old.type.kind != index.column.type.kind && index.column.type.kind == .double
  }
}
