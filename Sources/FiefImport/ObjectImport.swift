package import Fief
package import Foundation

/// An import into a store: batches of lines, followed by the deferred links.
///
/// The progress is committed with the objects, so an import that is interrupted at any time can be resumed.
/// Apart from one batch in memory, only a temporary file grows with the number of lines.
package final class ObjectImport {
  /// The number of lines that are committed together.
  package static let batchSize = 1000
  /// The number of bytes of lines after which a batch ends early.
  private static let batchBytes = 8 << 20
  /// The maximum number of invalid lines that are listed.
  private static let mostListed = 100

  /// The start of an import.
  package struct Start: Sendable {
    /// The first line to import.
    package var line = 1
    /// The first line for which the store may contain records of the import. The lines before it were
    /// imported by a run that recorded nothing.
    package var blind = 1
    /// The identifier of the records in the store, or `nil` if nothing is recorded.
    package var notes: UUID?
    /// Whether the records belong to an earlier run.
    package var isResumed = false
    /// The identifier of a complete import whose records may still be in the store.
    package var stale: UUID?

    package init(
      line: Int = 1,
      blind: Int = 1,
      notes: UUID? = nil,
      isResumed: Bool = false,
      stale: UUID? = nil
    ) {
      (self.line, self.blind, self.notes, self.isResumed, self.stale) = (line, blind, notes, isResumed, stale)
    }
  }

  /// The result of one batch.
  struct Batch {
    var counts: [DynamicPut.Outcome: Int] = [:]
    var wrong: [ImportProblem] = []
    var waiting: [LinkSpool.Entry] = []
    var known = 0

    mutating func append(_ other: Batch) {
      counts.merge(other.counts) { $0 + $1 }
      wrong += other.wrong
      waiting += other.waiting
      known += other.known
    }
  }

  /// The result of setting links.
  struct Links {
    /// The number of objects that were written inline in links.
    var inserted = 0
    /// The omitted links, whose targets do not exist.
    var missing: [ImportProblem] = []
    /// The lines that contain an invalid object inline in a link.
    var wrong: [ImportProblem] = []

    mutating func append(_ other: Links) {
      inserted += other.inserted
      missing += other.missing
      wrong += other.wrong
    }
  }

  package typealias Transact = ((DynamicTransaction) throws -> Void) throws -> Void

  let store: DynamicStore
  let type: DynamicType?
  let isCSV: Bool
  let conflict: DynamicConflict
  let options: JSONOptions
  let start: Start
  /// Whether texts about invalid lines contain the invalid values.
  let showsValues: Bool
  /// Whether the first invalid line is thrown as an error, and its batch rolled back.
  package var stopsAtProblem = false
  /// The classes of the application, by which values are checked.
  var declared: DeclaredProperties?
  /// Called before the first commit.
  package var willBegin: () throws -> Void = {}
  private let spool = LinkSpool()
  /// The names of the CSV columns.
  package var columns: [String] = []
  package private(set) var counts: [DynamicPut.Outcome: Int] = [:]
  package private(set) var wrong: [ImportProblem] = []
  package private(set) var wrongCount = 0
  /// The number of lines that an earlier run had imported without recording it.
  package private(set) var known = 0
  package private(set) var missingLinks = 0
  /// The last line that is in the store, or `nil` before this run has committed any line.
  package private(set) var committed: Int?
  /// The line to resume at, or `nil` if the import was completed.
  package private(set) var interruptedAt: Int?
  /// The numbers of objects by class, as stated at the end of an export, or `nil` if the input does not state
  /// them.
  package private(set) var expectedCounts: [String: Int]?

  /// Whether the lines are an export from Realm.
  private var isExport = false
  /// The number of objects read, and the number of the last line.
  private var (lineCount, lastLine) = (0, 0)

  package init(
    _ store: DynamicStore,
    _ type: DynamicType?,
    isCSV: Bool,
    _ conflict: DynamicConflict,
    _ options: JSONOptions,
    _ start: Start,
    showsValues: Bool
  ) {
    (self.store, self.type, self.isCSV, self.conflict) = (store, type, isCSV, conflict)
    (self.options, self.start, self.showsValues) = (options, start, showsValues)
  }

  /// Imports everything. Each call of `transact` is one transaction, which may run its closure again.
  ///
  /// - Parameters:
  ///   - reader: a reader at the beginning of the input, or after the heading of CSV.
  ///   - transact: runs a transaction.
  ///   - goesOn: called after each batch with the number of bytes read. If it returns `false` and there are
  ///     more lines, or if it throws, the import is interrupted.
  /// - Throws: ``ImportProblem`` with ``notUTF8`` if the first line of JSON is not UTF-8.
  package func run(_ reader: inout RecordReader, _ transact: Transact, _ goesOn: (Int) throws -> Bool) throws
  {
    var isFirst = true
    var record = try skip(&reader)
    while record != nil {
      var records: [RecordReader.Record] = []
      var size = 0
      while let next = record, records.count < Self.batchSize, size < Self.batchBytes {
        records.append(next)
        size += next.bytes.count
        record = try self.next(of: &reader)
      }
      let expectsKnown = isFirst && start.line > 1 && !start.isResumed
      if isFirst { try willBegin() }
      var batch = Batch()
      try transact { transaction in
        transaction.jsonOptions = options
        transaction.declared = declared
        if isFirst { try self.tidy(transaction) }
        batch = try self.perform(records, in: transaction, expectsKnown: expectsKnown)
        if stopsAtProblem, let first = batch.wrong.first { throw first }
        try self.note(batch, records, in: transaction)
      }
      isFirst = false
      committed = records.last?.line
      try take(batch)
      let isWanted = try goesOn(reader.consumed)
      if let last = records.last, record != nil, !isWanted {
        interruptedAt = last.line + 1
        return
      }
    }
    try makeWaitingLinks(transact)
  }

  /// Returns the next line that contains an object.
  private func next(of reader: inout RecordReader) throws -> RecordReader.Record? {
    while let record = try reader.next() {
      if isCSV { return record }
      lastLine = record.line
      if let counts = ExportMark.counts(record.bytes) {
        expectedCounts = counts
      } else if ExportMark.identifier(record.bytes) != nil {
        isExport = true
      } else {
        lineCount += 1
        return record
      }
    }
    return nil
  }

  /// The error of a feed of JSON lines whose first line is not UTF-8.
  package static var notUTF8: FiefError { FiefError(.malformedJSON, "The input is not UTF-8.") }

  /// Whether a line of JSON can be UTF-8. UTF-16 of Latin letters is valid UTF-8 with zero bytes, which a line
  /// of JSON does not contain.
  private static func isText(_ line: [UInt8]) -> Bool {
    !line.contains(0) && String(validating: line, as: UTF8.self) != nil
  }

  /// Skips the lines that were imported before, but collects links that must still be set.
  ///
  /// - Returns: the first record to import.
  private func skip(_ reader: inout RecordReader) throws -> RecordReader.Record? {
    var next = try self.next(of: &reader)
    if let next, !isCSV, !Self.isText(next.bytes) { throw ImportProblem(line: next.line, Self.notUTF8) }
    guard start.line > 1 else { return next }
    let types = store.types
    try store.read { snapshot in
      snapshot.jsonOptions = options
      while let record = next, record.line < start.line {
        if record.line >= start.blind, let id = start.notes {
          if let (typeName, key) = try snapshot.waitingObject(ofLine: record.line, of: id) {
            try spool.append(
              LinkSpool.Entry(line: record.line, typeName: typeName, key: key, bytes: record.bytes)
            )
          }
        } else if let entry = try entryIfSound(record, snapshot),
          let type = types.first(where: { $0.name == entry.typeName }),
          type.hasLinks(among: types),
          try snapshot.object(ofType: entry.typeName, forKey: entry.key) != nil
        {
          try spool.append(entry)
        }
        next = try self.next(of: &reader)
      }
    }
    return next
  }

  /// Returns the entry of a line, or `nil` for an invalid line, which was reported by the run that tried to
  /// import it.
  private func entryIfSound(_ record: RecordReader.Record, _ snapshot: DynamicSnapshot) throws -> LinkSpool
    .Entry?
  {
    do { return try entry(for: record, snapshot) } catch {
      guard problem(record.line, error) != nil else { throw error }
      return nil
    }
  }

  private func entry(for record: RecordReader.Record, _ snapshot: DynamicSnapshot) throws -> LinkSpool.Entry?
  {
    try record.bytes.withUnsafeBytes { line in
      let named = isCSV ? nil : try snapshot.typeName(ofLine: line)
      guard let typeName = type?.name ?? named else { return nil }
      let key =
        isCSV
        ? try snapshot.key(ofType: typeName, cells: try cells(of: record.bytes))
        : try snapshot.key(ofType: typeName, line: line)
      return key.map { LinkSpool.Entry(line: record.line, typeName: typeName, key: $0, bytes: record.bytes) }
    }
  }

  private func take(_ batch: Batch) throws {
    for (outcome, count) in batch.counts { counts[outcome, default: 0] += count }
    for problem in batch.wrong { report(problem) }
    for entry in batch.waiting { try spool.append(entry) }
    known += batch.known
  }

  /// Reports an error if the last line of an export from Realm is missing, or if it states a different number
  /// of objects than were read.
  package func checkEnd() {
    guard isExport else { return }
    let expected = expectedCounts?.values.reduce(0, +)
    if expected == lineCount { return }
    let text =
      expected.map { "the end of the export counts \($0) objects, but there are \(lineCount)" }
      ?? "the export ends before its last line"
    report(ImportProblem(line: lastLine, FiefError(.validationFailed, text), text: text))
  }

  private func report(_ problem: ImportProblem) {
    wrongCount += 1
    if wrong.count < Self.mostListed { wrong.append(problem) }
  }

  private func makeWaitingLinks(_ transact: Transact) throws {
    try spool.forEachBatch(of: Self.batchSize, bytes: Self.batchBytes) { entries in
      var links = Links()
      try transact { transaction in
        transaction.jsonOptions = options
        transaction.declared = declared
        links = try self.makeLinks(entries, in: transaction)
        if stopsAtProblem, let first = (links.missing + links.wrong).first { throw first }
        guard let id = start.notes else { return }
        for entry in entries { try transaction.forgetWaiting(line: entry.line, of: id) }
      }
      if links.inserted > 0 { counts[.inserted, default: 0] += links.inserted }
      missingLinks += links.missing.count
      for problem in links.missing + links.wrong { report(problem) }
    }
  }
}
