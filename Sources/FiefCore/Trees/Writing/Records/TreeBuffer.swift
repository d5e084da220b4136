import LMDB

/// Changes of one index or backlink tree that are still to be made.
///
/// Entries gather while records are written, and go to the tree in the order of their bytes: each page is
/// then visited once, and a tree that is filled for the first time is filled by appending.
final class TreeBuffer {
  let database: Database
  var writer = ValueWriter()
  var entries: [Entry] = []

  struct Entry {
    /// The first eight bytes, as a number of the same order.
    let prefix: UInt64
    let start: Int
    let keyCount: UInt16
    let valueCount: UInt16
    /// The number of bytes of the key that are the first element.
    let firstCount: UInt16
    let isAdded: Bool
    /// Whether no other object may have the first element.
    let isAlone: Bool
  }

  /// The unique index that the tree is; nil for all others.
  var unique: (table: Table, index: Table.Index)?
  /// The changes of the sums of a full-text index.
  var texts = 0
  var words = 0

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
      // The entry to remove has to be complete before the other one begins.
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

  /// Notes an entry of values.
  ///
  /// - Parameter first: appends the first element, and returns whether another object may not have the same.
  func noteValues(
    objectKey: UnsafeRawBufferPointer,
    isAdded: Bool,
    _ first: (inout ValueWriter) throws -> Bool
  ) throws {
    let start = writer.count
    do {
      let isWhole = try first(&writer)
      append(from: start, objectKey, isAdded: isAdded, isAlone: isAdded && isWhole && unique != nil)
    } catch {
      writer.truncate(to: start)
      throw error
    }
  }

  func note(
    _ start: Int,
    keyCount: Int,
    firstCount: Int,
    valueCount: Int,
    isAdded: Bool,
    isAlone: Bool
  ) {
    entries.append(
      Entry(
        prefix: writer.prefix(at: start, count: keyCount),
        start: start,
        keyCount: UInt16(truncatingIfNeeded: keyCount),
        valueCount: UInt16(truncatingIfNeeded: valueCount),
        firstCount: UInt16(truncatingIfNeeded: firstCount),
        isAdded: isAdded,
        isAlone: isAlone
      )
    )
  }

  /// Completes the entry whose first element begins at `start` and is the last that was written.
  private func append(
    from start: Int,
    _ objectKey: UnsafeRawBufferPointer,
    isAdded: Bool,
    isAlone: Bool = false
  ) {
    var valueCount = 0
    var firstCount = writer.count - start
    if firstCount <= CompositeKey.firstLimit, objectKey.count <= CompositeKey.secondLimit {
      writer.append(objectKey)
    } else {
      let first = writer.withBytes { [UInt8]($0[start...]) }
      let entry = CompositeKey(first: first, second: [UInt8](objectKey))
      writer.truncate(to: start)
      writer.append(entry.key)
      writer.append(entry.value)
      valueCount = entry.value.count
      firstCount = entry.firstCount
    }
    note(
      start,
      keyCount: writer.count - start - valueCount,
      firstCount: firstCount,
      valueCount: valueCount,
      isAdded: isAdded,
      isAlone: isAlone
    )
  }
}
