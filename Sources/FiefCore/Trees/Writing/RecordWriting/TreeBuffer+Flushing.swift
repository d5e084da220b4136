import LMDB

extension TreeBuffer {
  /// Writes the noted changes to the tree.
  ///
  /// - Parameter suspects: receives the entries of a unique index whose values occur in another entry too.
  func flush(in transaction: LMDB.WritableTransaction, suspects: inout [UniqueSuspect]) throws {
    try maintainer?.finish(in: transaction)
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

  /// Removes the noted entries.
  func removeAll() {
    entries.removeAll(keepingCapacity: true)
    writer.removeAll()
  }

  /// Calls a closure with each noted entry, in the order of the keys.
  ///
  /// - Parameter body: receives the key, the value and the length of the key's first element. The length is 0
  ///   if several objects may have the same element.
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

  /// Sorts entries by their keys. Entries with equal keys stay in the order in which they were noted, because
  /// the last one counts.
  private static func sort(_ entries: inout [Entry], _ bytes: UnsafeRawBufferPointer) {
    func precedes(_ first: Entry, _ second: Entry) -> Bool {
      if first.prefix != second.prefix { return first.prefix < second.prefix }
      let order = bytes.compare(
        first.start..<(first.start + Int(first.keyCount)),
        second.start..<(second.start + Int(second.keyCount))
      )
      return order == 0 ? first.start < second.start : order < 0
    }
    // Entries that were noted in the order of the objects' keys are often sorted already.
    if !zip(entries, entries.dropFirst()).allSatisfy({ precedes($0, $1) }) { entries.sort(by: precedes) }
  }
}
