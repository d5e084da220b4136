import LMDB

/// Makes the stamps of rows: numbers that are others where something about the object is.
///
/// It is the checksum that a record begins with, and, of an object with large collections, the one that it would have
/// with their elements in it (``ContentChecksum``): to read these takes long, so that the stamps of such objects are
/// kept as long as no commit changes them, and the hash of a collection as long as none changes its elements.
struct RowStamps {
  private let table: Table
  private let watched: WatchedValues?
  /// The objects with large collections.
  private var large: [ObjectKey: Kept] = [:]

  private struct Kept {
    /// Nil where the object has changed since.
    var stamp: UInt32?
    var contents: ContentChecksum.KeptContents = []
  }

  init(of table: Table, watched: WatchedValues?) {
    self.table = table
    self.watched = watched
  }

  /// Drops the stamps that may have changed: all of them, or those of some objects.
  mutating func forget(_ changes: ChangeSet.TypeChanges?) {
    guard !large.isEmpty else { return }
    guard let changes else { return large = [:] }
    changes.objects.forEach { key, fate, columns in
      let key = ObjectKey(key)
      guard var kept = large[key] else { return }
      if fate == .modified {
        kept.contents.removeAll { columns.contains($0.column) }
      } else {
        kept.contents = []
      }
      kept.stamp = nil
      large[key] = kept.contents.isEmpty ? nil : kept
    }
  }

  mutating func stamp(of row: QueryRow, in environment: QueryEnvironment) throws -> UInt32 {
    try stamp(of: row.key, row.view, environment.tables, in: environment.transaction)
  }

  mutating func stamp(
    of key: UnsafeRawBufferPointer,
    _ view: RecordView,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> UInt32 {
    if let watched { return try watched.stamp(of: key, view, tables, in: transaction) }
    if try table.collectionIDs.isEmpty || !ContentChecksum.differs(from: view, of: table) {
      return UInt32(littleEndian: view.bytes.loadUnaligned(as: UInt32.self))
    }
    let key = ObjectKey(key)
    var kept = large[key] ?? Kept()
    if let stamp = kept.stamp { return stamp }
    let stamp = try ContentChecksum(table, tables, in: transaction).of(view, &kept.contents)
    kept.stamp = stamp
    large[key] = kept
    return stamp
  }
}
