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
    /// How much of the key is the first element.
    let firstCount: UInt16
    let isAdded: Bool
    /// Whether no other object may have the first element.
    let isAlone: Bool
  }

  /// The unique index that the tree is; nil for all others.
  var unique: (table: Table, index: Table.Index)?
  /// How the sums of a full-text index change.
  private(set) var texts = 0
  private(set) var words = 0

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

  /// Notes the words of an object for the sums of a full-text index.
  ///
  /// - Parameter sign: 1 where they are added, -1 where they go.
  func noteText(_ list: WordList, objectKey: UnsafeRawBufferPointer, sign: Int) {
    if list.count == 0 { return }
    texts += sign
    words += sign * list.count
  }

  /// Notes the entry of a word.
  func noteWord(
    _ word: UnsafeRawBufferPointer,
    count: Int,
    of length: Int,
    objectKey: UnsafeRawBufferPointer,
    isAdded: Bool
  ) {
    let start = writer.count
    FullTextEntry.append(word, to: &writer)
    let firstCount = writer.count - start
    let isCut = objectKey.count > CompositeKey.secondLimit
    if isCut {
      writer.append(CompositeKey.second([UInt8](objectKey)))
    } else {
      writer.append(objectKey)
    }
    let keyCount = writer.count - start
    if isAdded {
      writer.appendCount(count)
      writer.appendCount(length)
      if isCut { writer.append(objectKey) }
    }
    note(
      start,
      keyCount: keyCount,
      firstCount: firstCount,
      valueCount: writer.count - start - keyCount,
      isAdded: isAdded,
      isAlone: false
    )
  }

  private func note(
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

  /// Makes the changes.
  ///
  /// - Parameter suspects: gets the entries that are not alone with their values, in a unique index.
  func flush(in transaction: LMDB.WriteTransaction, suspects: inout [UniqueSuspect]) throws {
    if texts != 0 || words != 0 {
      try FullTextEntry.add(texts: texts, words: words, to: database, in: transaction)
      (texts, words) = (0, 0)
    }
    guard !entries.isEmpty else { return }
    defer { removeAll() }
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
      if let unique {
        try Self.findSuspects(entries, bytes, unique, database, transaction, &suspects)
      }
    }
  }

  /// Forgets all that waits.
  func removeAll() {
    entries.removeAll(keepingCapacity: true)
    writer.removeAll()
    (texts, words) = (0, 0)
  }

  /// Calls a closure with what waits, in the order of the entries: key, value and how much of the key is the
  /// first element; 0 where others may have the same.
  func forEachSorted(
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, Int) throws -> Void
  ) throws {
    try writer.withBytes { bytes in
      if entries.count > 1 { Self.sort(&entries, bytes) }
      for entry in entries {
        let end = entry.start + Int(entry.keyCount)
        try body(
          UnsafeRawBufferPointer(rebasing: bytes[entry.start..<end]),
          UnsafeRawBufferPointer(rebasing: bytes[end..<(end + Int(entry.valueCount))]),
          entry.isAlone ? Int(entry.firstCount) : 0
        )
      }
    }
  }

  private static func findSuspects(
    _ entries: [Entry],
    _ bytes: UnsafeRawBufferPointer,
    _ unique: (table: Table, index: Table.Index),
    _ database: Database,
    _ transaction: LMDB.WriteTransaction,
    _ suspects: inout [UniqueSuspect]
  ) throws {
    let cursor = try transaction.cursor(database)
    for entry in entries where entry.isAdded && entry.isAlone {
      let key = UnsafeRawBufferPointer(
        rebasing: bytes[entry.start..<(entry.start + Int(entry.keyCount))]
      )
      let first = UnsafeRawBufferPointer(rebasing: key[..<Int(entry.firstCount)])
      guard try cursor.seek(atOrAfter: first) else { continue }
      var isAlone = cursor.key.elementsEqual(key)
      if isAlone, try cursor.next(), cursor.key.starts(with: first) { isAlone = false }
      if isAlone { continue }
      let end = entry.start + Int(entry.keyCount)
      let value = UnsafeRawBufferPointer(rebasing: bytes[end..<(end + Int(entry.valueCount))])
      suspects.append(
        UniqueSuspect(
          table: unique.table,
          index: unique.index,
          entry: [UInt8](key),
          firstCount: first.count,
          objectKey: CompositeKey.objectKey(key: key, value: value, prefixCount: first.count).bytes
        )
      )
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
