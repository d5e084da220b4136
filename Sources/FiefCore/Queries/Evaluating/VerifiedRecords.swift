import LMDB

/// Verifies the checksums of records whose columns are read in place, so that no result is computed from
/// damaged records.
///
/// In a read transaction, the first record that is reached on a page verifies the whole page. This applies to
/// scans and to queries that look up more than a few records. The page is then noted (``LMDB/VerifiedPages``)
/// until it is written again. For a noted page the check costs one comparison per page of a scan, or per
/// record that is looked up. In a write transaction pages change, so each record is verified each time.
/// Stores in memory are not verified, because only this process has written them.
package struct VerifiedRecords {
  /// The size limit in bytes for verification. Longer records have separate pages, which a scan would not
  /// otherwise read. They are verified when an object is created from them, and by the checker.
  package static let longest = 16 << 10

  private let transaction: LMDB.Transaction
  /// The noted pages, or `nil` if the notes have not been read yet or do not exist.
  private var notes: VerifiedPages?
  private var isLookedFor = false
  private let isNeeded: Bool
  /// The number of records that were verified individually.
  private var singles = 0

  init(_ transaction: LMDB.Transaction) {
    self.transaction = transaction
    isNeeded = transaction.outlivesProcess
  }

  /// Verifies a record that was looked up under its key.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  @inline(__always)
  mutating func verify(
    _ record: UnsafeRawBufferPointer,
    _ key: UnsafeRawBufferPointer,
    of table: Table
  ) throws {
    if let notes, let place = record.baseAddress, notes.contains(place) { return }
    if isNeeded { try verifyOne(record, key, table) }
  }

  /// Whether all entries of a run are intact.
  @inline(__always)
  mutating func areRight(_ run: LeafRun, of table: Table) throws -> Bool {
    if let notes, let page = run.pageStart, notes.contains(page) { return true }
    return try !isNeeded || verifyAll(run, table)
  }

  @inline(never)
  private mutating func verifyOne(
    _ record: UnsafeRawBufferPointer,
    _ key: UnsafeRawBufferPointer,
    _ table: Table
  ) throws {
    lookForNotes()
    // If a query looks up only a few records, it is not worth reading the other records of their pages.
    singles &+= 1
    if let notes, singles > 8, let place = record.baseAddress, let records = table.records {
      if notes.contains(place) { return }
      if let page = try transaction.pageOfValue(place, in: records) {
        if Self.areRight(page, table) { return notes.note(place) }
      } else if Self.isRight(record, key, table) {
        return notes.note(place)
      }
    }
    guard Self.isRight(record, key, table) else {
      var error = FiefError(.damagedRecord, "The checksum of a record is wrong.", type: table.name)
      error.key = table.text(ofKey: [UInt8](key))
      throw error
    }
  }

  @inline(never)
  private mutating func verifyAll(_ run: LeafRun, _ table: Table) throws -> Bool {
    lookForNotes()
    if let notes, let start = run.pageStart, let records = table.records {
      if notes.contains(start) { return true }
      // The run may be only a part of the page.
      if let page = try transaction.pageOfValue(start, in: records), Self.areRight(page, table) {
        notes.note(start)
        return true
      }
    }
    return Self.areRight(run, table)
  }

  /// Reads the notes when the first record is verified. The addresses of the pages are unknown before.
  private mutating func lookForNotes() {
    if isLookedFor { return }
    isLookedFor = true
    notes = transaction.notedPages()
  }

  private static func areRight(_ run: LeafRun, _ table: Table) -> Bool {
    for index in 0..<run.count where !isRight(run.value(index), run.key(index), table) { return false }
    return true
  }

  @inline(__always)
  private static func isRight(
    _ record: UnsafeRawBufferPointer,
    _ key: UnsafeRawBufferPointer,
    _ table: Table
  ) -> Bool {
    record.count > longest || RecordChecksum.isRight(record, key: key, type: table.entry.id)
  }
}
