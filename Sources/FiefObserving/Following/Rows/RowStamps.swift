import FiefCore
import LMDB

/// Computes the stamps of rows. A stamp changes if the object of its row does.
///
/// A stamp is a hash of the object's record (``KeyedHash``), or of the record and the elements of its large
/// collections (``ContentStamp``). Reading such collections or a long record takes time. Therefore the stamps
/// of these objects are kept until a commit changes them, and the hash of a collection until a commit changes
/// its elements.
package struct RowStamps {
  private let table: Table
  private let watched: WatchedValues?
  /// Includes linked objects in the stamps, or `nil` if only the objects themselves count.
  private let linked: LinkedStamps?
  /// The objects with large collections or long records.
  private var large: [ObjectKey: LargeRow] = [:]

  private struct LargeRow {
    /// `nil` if the object has changed since.
    var stamp: UInt64?
    var contents: ContentStamp.LargePayloads = []
  }

  package init(of table: Table, watched: WatchedValues?, linked: LinkedStamps? = nil) {
    self.table = table
    self.watched = watched
    self.linked = linked
  }

  /// Drops the stamps of changed objects, or all stamps for `nil`.
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

  mutating func stamp(of row: QueryRow, in environment: QueryEnvironment) throws -> UInt64 {
    try stamp(of: row.key, row.view, environment.tables, in: environment.transaction)
  }

  package mutating func stamp(
    of key: UnsafeRawBufferPointer,
    _ view: RecordView,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> UInt64 {
    if let watched { return try watched.stamp(of: key, view, tables, in: transaction) }
    let own = try ownStamp(of: key, view, tables, in: transaction)
    return try linked?.stamp(own, view, in: transaction) ?? own
  }

  private mutating func ownStamp(
    of key: UnsafeRawBufferPointer,
    _ view: RecordView,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> UInt64 {
    let isShort = view.bytes.count <= VerifiedRecords.longest
    if try isShort && (table.collectionIDs.isEmpty || !ContentStamp.isNeeded(by: view, of: table)) {
      return ContentStamp.of(view.bytes)
    }
    let key = ObjectKey(key)
    var kept = large[key] ?? LargeRow()
    if let stamp = kept.stamp { return stamp }
    let stamp = try ContentStamp(table, tables, in: transaction).of(view, &kept.contents)
    kept.stamp = stamp
    large[key] = kept
    return stamp
  }
}
