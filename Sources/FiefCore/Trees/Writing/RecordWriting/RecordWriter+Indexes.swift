import Foundation
import LMDB

/// The entries of all indexes except plain ones.
extension RecordWriter {
  /// Notes the entries to add and remove when a record changes from `old` to `new`.
  func updateEntries(
    of index: Table.Index,
    _ table: Table,
    key: UnsafeRawBufferPointer,
    old: RecordView?,
    new: RecordView?
  ) throws {
    let buffer = buffer(index, of: table)
    if let old, let new, try Self.haveSameValues(old, new, index.columns) { return }
    if let maintainer = buffer.maintainer {
      return try maintainer.update(old: old, new: new, key: key, in: buffer)
    }
    if let old {
      try buffer.noteValues(objectKey: key, isAdded: false) {
        try IndexElement.append(index, of: table, in: old, key: key, to: &$0)
      }
    }
    if let new {
      try buffer.noteValues(objectKey: key, isAdded: true) {
        try IndexElement.append(index, of: table, in: new, key: key, to: &$0)
      }
    }
  }

  /// Notes the new entries of an object in the caller's buffer.
  static func addEntries(
    of index: Table.Index,
    _ table: Table,
    key: UnsafeRawBufferPointer,
    view: RecordView,
    to buffer: TreeBuffer
  ) throws {
    if index.isPlain {
      try buffer.replace(objectKey: key, old: nil) {
        try IndexElement.append(index.column, of: table, in: view, key: key, to: &$0)
      }
    } else if let maintainer = buffer.maintainer {
      try maintainer.update(old: nil, new: view, key: key, in: buffer)
    } else {
      try buffer.noteValues(objectKey: key, isAdded: true) {
        try IndexElement.append(index, of: table, in: view, key: key, to: &$0)
      }
    }
  }

  /// Whether two records have the same bytes for some columns, which is true after most changes. Columns of
  /// the primary key never change and are not stored in records.
  private static func haveSameValues(_ old: RecordView, _ new: RecordView, _ columns: [ColumnEntry]) throws
    -> Bool
  {
    guard old.layout === new.layout else { return false }
    for column in columns {
      guard let place = old.layout.place(ofColumn: column.id) else { continue }
      var isSame = false
      try old.withPayload(place) { before in
        try new.withPayload(place) { after in
          guard let before, let after else {
            isSame = before == nil && after == nil
            return
          }
          guard before.count == after.count else { return }
          guard let start = before.baseAddress, let other = after.baseAddress else {
            isSame = true
            return
          }
          isSame = memcmp(start, other, before.count) == 0
        }
      }
      if !isSame { return false }
    }
    return true
  }
}
