import Foundation
import LMDB

/// The entries of indexes that are more than the values of one column.
extension RecordWriter {
  /// Brings an index from what `old` has to what `new` has, when it is flushed.
  func updateEntries(
    of index: Table.Index,
    _ table: Table,
    key: UnsafeRawBufferPointer,
    old: RecordView?,
    new: RecordView?
  ) throws {
    let buffer = buffer(index, of: table)
    if let old, let new, try Self.haveSameValues(old, new, index.columns) { return }
    if index.entry.kind == .fullText {
      try updateWords(of: index, table, key: key, old: old, new: new, in: buffer)
      return
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

  /// Adds an object to an index that does not have it, in a buffer of the caller's.
  static func addEntries(
    of index: Table.Index,
    _ table: Table,
    key: UnsafeRawBufferPointer,
    view: RecordView,
    words: inout WordList,
    to buffer: TreeBuffer
  ) throws {
    if index.isPlain {
      try buffer.replace(objectKey: key, old: nil) {
        try IndexElement.append(index.column, of: table, in: view, key: key, to: &$0)
      }
    } else if index.entry.kind == .fullText {
      try words.gather(index, of: table, in: view, key: key)
      buffer.noteText(words, objectKey: key, sign: 1)
      words.forEach { buffer.noteWord($0, count: $1, of: words.count, objectKey: key, isAdded: true) }
    } else {
      try buffer.noteValues(objectKey: key, isAdded: true) {
        try IndexElement.append(index, of: table, in: view, key: key, to: &$0)
      }
    }
  }

  private func updateWords(
    of index: Table.Index,
    _ table: Table,
    key: UnsafeRawBufferPointer,
    old: RecordView?,
    new: RecordView?,
    in buffer: TreeBuffer
  ) throws {
    var before = WordList()
    var after = WordList()
    if let old { try before.gather(index, of: table, in: old, key: key) }
    if let new { try after.gather(index, of: table, in: new, key: key) }
    buffer.noteText(before, objectKey: key, sign: -1)
    buffer.noteText(after, objectKey: key, sign: 1)
    // A word that stays has another value where the text's length is another one.
    let isSameLength = before.count == after.count
    before.forEach { word, count in
      guard let now = after.count(of: word) else {
        return buffer.noteWord(word, count: count, of: before.count, objectKey: key, isAdded: false)
      }
      if isSameLength, now == count { return }
      buffer.noteWord(word, count: now, of: after.count, objectKey: key, isAdded: true)
    }
    after.forEach { word, count in
      if before.count(of: word) == nil {
        buffer.noteWord(word, count: count, of: after.count, objectKey: key, isAdded: true)
      }
    }
  }

  /// Whether two records have the same bytes for columns; most changes are of other columns. Columns that are
  /// in no record, as those of the primary key, do not change.
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
