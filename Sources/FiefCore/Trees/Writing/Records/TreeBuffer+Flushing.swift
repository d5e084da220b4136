import LMDB

/// Writing the entries that wait for a tree.
extension TreeBuffer {
  /// Makes the changes.
  ///
  /// - Parameter suspects: gets the entries that are not alone with their values, in a unique index.
  func flush(in transaction: LMDB.WritableTransaction, suspects: inout [UniqueSuspect]) throws {
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

  /// Calls a closure with the waiting entries, in their order: key, value and the number of the key's bytes
  /// that are its first element; 0 where others may have the same.
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
    _ transaction: LMDB.WritableTransaction,
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

  /// Sorts entries by their bytes; equal ones in the order in which they were noted, so that the last of them holds.
  private static func sort(_ entries: inout [Entry], _ bytes: UnsafeRawBufferPointer) {
    func precedes(_ first: Entry, _ second: Entry) -> Bool {
      if first.prefix != second.prefix { return first.prefix < second.prefix }
      let order = bytes.compare(
        first.start..<(first.start + Int(first.keyCount)),
        second.start..<(second.start + Int(second.keyCount))
      )
      return order == 0 ? first.start < second.start : order < 0
    }
    // Entries that were added in the order of the objects' keys are often in order already.
    if !zip(entries, entries.dropFirst()).allSatisfy({ precedes($0, $1) }) { entries.sort(by: precedes) }
  }
}
