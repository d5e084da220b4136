import LMDB

/// Changes of one index or backlink tree that are still to be made.
///
/// Entries gather while records are written, and go to the tree in the order of their bytes: each page is
/// then looked at once, and a tree that is filled for the first time is filled by appending.
final class TreeBuffer {
  let database: Database
  private var writer = ValueWriter()
  private var entries: [Entry] = []

  private struct Entry {
    /// The first eight bytes, as a number of the same order.
    let prefix: UInt64
    let start: Int
    let keyCount: UInt16
    let valueCount: UInt16
    let isAdded: Bool
  }

  init(_ database: Database) { self.database = database }

  var isEmpty: Bool { entries.isEmpty }
  /// The bytes in memory.
  var size: Int { writer.count + entries.count * MemoryLayout<Entry>.stride }

  /// Notes that the entry of an object goes from one first element to another.
  ///
  /// - Parameters:
  ///   - old: appends the first element that the object had; nil where it had none.
  ///   - new: appends the one that it has now.
  func replace(
    objectKey: UnsafeRawBufferPointer,
    old: ((inout ValueWriter) throws -> Void)?,
    new: ((inout ValueWriter) throws -> Void)?
  ) throws {
    let start = writer.count
    do {
      try old?(&writer)
      let middle = writer.count
      try new?(&writer)
      let isSame = old != nil && new != nil && writer.hasSameBytes(start..<middle, middle..<writer.count)
      guard !isSame else {
        writer.truncate(to: start)
        return
      }
      guard let new else { return append(from: start, objectKey, isAdded: false) }
      guard old != nil else { return append(from: start, objectKey, isAdded: true) }
      // The entry to remove has to be whole before the other one begins.
      writer.truncate(to: middle)
      append(from: start, objectKey, isAdded: false)
      let second = writer.count
      try new(&writer)
      append(from: second, objectKey, isAdded: true)
    } catch {
      writer.truncate(to: start)
      throw error
    }
  }

  /// Notes an entry.
  func note(first: UnsafeRawBufferPointer, objectKey: UnsafeRawBufferPointer, isAdded: Bool) {
    let start = writer.count
    writer.append(first)
    append(from: start, objectKey, isAdded: isAdded)
  }

  /// Completes the entry whose first element begins at `start` and is the last that was written.
  private func append(from start: Int, _ objectKey: UnsafeRawBufferPointer, isAdded: Bool) {
    var valueCount = 0
    let firstCount = writer.count - start
    if firstCount <= CompositeKey.firstLimit, objectKey.count <= CompositeKey.secondLimit {
      writer.append(objectKey)
    } else {
      let first = writer.withBytes { [UInt8]($0[start...]) }
      let entry = CompositeKey(first: first, second: [UInt8](objectKey))
      writer.truncate(to: start)
      writer.append(entry.key)
      writer.append(entry.value)
      valueCount = entry.value.count
    }
    let keyCount = writer.count - start - valueCount
    entries.append(
      Entry(
        prefix: writer.prefix(at: start, count: keyCount),
        start: start,
        keyCount: UInt16(truncatingIfNeeded: keyCount),
        valueCount: UInt16(truncatingIfNeeded: valueCount),
        isAdded: isAdded
      )
    )
  }

  /// Makes the changes.
  func flush(in transaction: LMDB.WriteTransaction) throws {
    guard !entries.isEmpty else { return }
    defer {
      entries.removeAll(keepingCapacity: true)
      writer.removeAll()
    }
    try writer.withBytes { bytes in
      if entries.count > 1 { Self.sort(&entries, bytes) }
      let cursor = try transaction.writeCursor(database)
      for entry in entries {
        let end = entry.start + Int(entry.keyCount)
        let key = UnsafeRawBufferPointer(rebasing: bytes[entry.start..<end])
        if entry.isAdded {
          let value = UnsafeRawBufferPointer(rebasing: bytes[end..<(end + Int(entry.valueCount))])
          try cursor.put(key, value)
        } else {
          _ = try cursor.delete(key)
        }
      }
    }
  }

  /// By bytes; equal ones in the order in which they were noted, so that the last of them holds.
  private static func sort(_ entries: inout [Entry], _ bytes: UnsafeRawBufferPointer) {
    func precedes(_ first: Entry, _ second: Entry) -> Bool {
      if first.prefix != second.prefix { return first.prefix < second.prefix }
      let order = bytes.compare(
        first.start..<(first.start + Int(first.keyCount)),
        second.start..<(second.start + Int(second.keyCount))
      )
      return order == 0 ? first.start < second.start : order < 0
    }
    // What comes in the order of the objects' keys often is in order already.
    if !zip(entries, entries.dropFirst()).allSatisfy({ precedes($0, $1) }) { entries.sort(by: precedes) }
  }
}
