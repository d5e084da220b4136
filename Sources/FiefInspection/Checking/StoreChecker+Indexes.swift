import FiefCore
import LMDB

/// Checks indexes against the records.
extension StoreChecker {
  /// Looks up an object's entries in an index, and returns the number of entries that the index must have for
  /// the object.
  func checkEntries(
    of index: Table.Index,
    _ table: Table,
    view: RecordView,
    key: UnsafeRawBufferPointer
  ) throws -> Int {
    if let findings = try maintainer(of: index, table)?.check(view, key: key, in: transaction) {
      if let problem = findings.problem { report(problem, table, key: key) }
      return findings.entries
    }
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

  /// Checks that neighbours in a unique index have different values, unless one of the values is nil or NaN.
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
        // The damaged record was already reported.
        continue
      }
      let entry = CompositeKey(first: writer.bytes, second: [UInt8](cursor.key))
      guard try entry.key.withUnsafeBytes({ try entries.seek(exactly: $0) }) else { continue }
      if try isRepeated(writer.bytes, behind: entries, entry, index, table) {
        report(
          "the unique index of \(index.columnNames) contains the object's values twice",
          table,
          key: cursor.key
        )
      }
    }
  }

  /// Whether a later entry has the same values.
  private func isRepeated(
    _ values: [UInt8],
    behind entries: Cursor,
    _ entry: CompositeKey,
    _ index: Table.Index,
    _ table: Table
  ) throws -> Bool {
    while try entries.next(), entries.key.starts(with: entry.key.prefix(entry.firstCount)) {
      // Values that are too long for the index are stored as a prefix and a hash. If two of them are equal
      // there, the records decide.
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
          // Damaged elements were already reported, and have no values.
          writer.removeAll()
        }
      }
      if writer.bytes == values { return true }
    }
    return false
  }
}
