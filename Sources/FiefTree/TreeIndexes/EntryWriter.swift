import Fief
import LMDB

/// Writes the records of a tree's types.
struct EntryWriter {
  let writer: RecordWriter
  /// The scope of the write; `nil` in a migration.
  let scope: WriteTransaction?

  func put(_ key: [UInt8], _ record: [UInt8], into table: Table) throws {
    try writer.writingManaged {
      try key.withUnsafeBytes { key in
        try record.withUnsafeBytes { try writer.put(key: key, record: $0, into: table, hasChecksum: true) }
      }
    }
  }

  func delete(_ keys: [[UInt8]], from table: Table) throws {
    if keys.isEmpty { return }
    try writer.writingManaged {
      guard let scope else {
        for key in keys { _ = try key.withUnsafeBytes { try writer.delete(key: $0, from: table) } }
        return
      }
      let removed = RecordBatch()
      for key in keys {
        key.withUnsafeBytes { removed.append(key: $0, record: UnsafeRawBufferPointer(start: nil, count: 0)) }
      }
      try scope.delete(removed, from: table)
    }
  }
}
