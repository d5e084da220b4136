import LMDB

/// The pending changes of one index or backlink tree.
///
/// Entries are collected while records are written, and are written to the tree in the order of their bytes.
/// Each page is then visited once, and a new tree is filled by appending.
package final class TreeBuffer {
  let database: Database
  // Accesses cannot overlap: the closures that append elements receive only the writer. They encode bytes of
  // records, without a reference to the buffer.
  @exclusivity(unchecked) var writer = ValueWriter()
  @exclusivity(unchecked) var entries: [Entry] = []

  struct Entry {
    /// The first eight bytes of the key, as a number with the same order.
    let prefix: UInt64
    let start: Int
    let keyCount: UInt16
    let valueCount: UInt16
    /// The number of bytes of the key that belong to the first element.
    let firstCount: UInt16
    let isAdded: Bool
    /// Whether no other object may have the same first element.
    let isAlone: Bool
  }

  /// The table and the index if the tree is a unique index; otherwise `nil`.
  @exclusivity(unchecked) var unique: (table: Table, index: Table.Index)?
  /// The maintainer of the index; `nil` for an ordered index and for backlinks.
  @exclusivity(unchecked) var maintainer: (any IndexMaintainer)?

  init(_ database: Database) { self.database = database }

  var isEmpty: Bool { entries.isEmpty }
  /// The size in memory, in bytes.
  var size: Int { writer.count + entries.count * MemoryLayout<Entry>.stride }

  /// Records that the first element of an object's entry changes.
  ///
  /// - Parameters:
  ///   - old: Appends the previous first element; `nil` if the object had no entry.
  ///   - new: Appends the new first element; `nil` if the object has no entry any more.
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
      // The entry to remove must be complete before the new entry begins.
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

  /// Records an entry to add or remove.
  func note(first: UnsafeRawBufferPointer, objectKey: UnsafeRawBufferPointer, isAdded: Bool) {
    let start = writer.count
    writer.append(first)
    append(from: start, objectKey, isAdded: isAdded)
  }

  /// Records an entry of values to add or remove.
  ///
  /// - Parameter first: Appends the first element, and returns whether no other object may have the same
  ///   element.
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

  /// Completes the entry whose first element begins at `start` and ends at the end of the written bytes.
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
