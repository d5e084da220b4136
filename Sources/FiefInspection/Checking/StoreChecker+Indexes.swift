import FiefCore
import LMDB

/// Checks of indexes against the records.
extension StoreChecker {
  /// Looks an object's entries of an index up, and returns how many there have to be.
  func checkEntries(
    of index: Table.Index,
    _ table: Table,
    view: RecordView,
    key: UnsafeRawBufferPointer
  ) throws -> Int {
    if index.entry.kind == .fullText { return try checkWords(of: index, table, view: view, key: key) }
    var writer = ValueWriter()
    if index.isPlain {
      try IndexElement.append(index.column, of: table, in: view, key: key, to: &writer)
    } else {
      _ = try IndexElement.append(index, of: table, in: view, key: key, to: &writer)
    }
    if try !contains(CompositeKey(first: writer.bytes, second: [UInt8](key)), in: index.database) {
      report("the index of \(index.columnNames) has no entry for the object", table, key: key)
    }
    return 1
  }

  private func checkWords(
    of index: Table.Index,
    _ table: Table,
    view: RecordView,
    key: UnsafeRawBufferPointer
  ) throws -> Int {
    try words.gather(index, of: table, in: view, key: key)
    var count = 0
    var missing = 0
    let second = CompositeKey.second([UInt8](key))
    try words.forEach { word, frequency in
      count += 1
      var entry = ValueWriter()
      FullTextEntry.append(word, to: &entry)
      entry.append(second)
      var value = ValueWriter()
      value.appendCount(frequency)
      value.appendCount(words.count)
      if second.count < key.count || !second.elementsEqual(key) { value.append(key) }
      let found = try entry.bytes.withUnsafeBytes { try transaction.get(index.database, $0) }
      if found?.elementsEqual(value.bytes) != true { missing += 1 }
    }
    if missing > 0 {
      report("the full-text index of \(index.columnNames) lacks \(missing) of its words", table, key: key)
    }
    if count > 0 {
      let before = sums[index.entry.id] ?? (0, 0)
      sums[index.entry.id] = (before.texts + 1, before.words + words.count)
    }
    return count
  }

  /// Whether the entry with the sums has to be there.
  func checkTotals(of index: Table.Index, _ table: Table) throws -> Bool {
    let expected = sums[index.entry.id] ?? (0, 0)
    let found = try FullTextEntry.totals(of: index.database, in: transaction)
    if found != expected {
      report(
        "the full-text index of \(index.columnNames) counts \(found.texts) texts of \(found.words) words,"
          + " and the records have \(expected.texts) of \(expected.words)",
        table
      )
    }
    return expected.texts > 0
  }

  /// Neighbours in a unique index do not have the same values, unless one of these is nil or NaN.
  func checkUnique(_ index: Table.Index, _ table: Table) throws {
    guard let records = table.records else { return }
    let cursor = try transaction.cursor(records)
    let entries = try transaction.cursor(index.database)
    while try cursor.next() {
      var writer = ValueWriter()
      do {
        let view = try table.view(cursor.value)
        guard try IndexElement.append(index, of: table, in: view, key: cursor.key, to: &writer) else {
          continue
        }
      } catch is FiefError {
        // The record is in the list of problems already.
        continue
      }
      let entry = CompositeKey(first: writer.bytes, second: [UInt8](cursor.key))
      guard try entry.key.withUnsafeBytes({ try entries.seek(exactly: $0) }) else { continue }
      if try isRepeated(writer.bytes, behind: entries, entry, index, table) {
        report(
          "the unique index of \(index.columnNames) has the object's values twice",
          table,
          key: cursor.key
        )
      }
    }
  }

  /// Whether an entry behind one is of the same values.
  private func isRepeated(
    _ values: [UInt8],
    behind entries: Cursor,
    _ entry: CompositeKey,
    _ index: Table.Index,
    _ table: Table
  ) throws -> Bool {
    while try entries.next(), entries.key.starts(with: entry.key.prefix(entry.firstCount)) {
      // Cut values may only have the same hash, so that the records decide.
      if entry.firstCount == values.count { return true }
      let other = CompositeKey.objectKey(
        key: entries.key,
        value: entries.value,
        prefixCount: entry.firstCount
      )
      var writer = ValueWriter()
      try other.bytes.withUnsafeBytes { key in
        guard let records = table.records, let record = try transaction.get(records, key) else { return }
        do {
          _ = try IndexElement.append(index, of: table, in: try table.view(record), key: key, to: &writer)
        } catch is FiefError {
          // As above: damaged elements are listed, and have no values.
          writer.removeAll()
        }
      }
      if writer.bytes == values { return true }
    }
    return false
  }
}
