import Fief
import FiefConsole
import Foundation

/// One import: batches of lines, then the links that had to wait.
final class ImportJob {
  /// The number of lines that are committed together.
  static let batchSize = 1000
  /// The number of wrong lines that are listed.
  private static let mostListed = 100

  private let store: DynamicStore
  let type: DynamicType?
  let input: ImportInput
  let conflict: DynamicConflict
  let start: ImportStart
  let context: ToolContext
  private let spool = LinkSpool()
  /// The names of the columns of CSV.
  private(set) var columns: [String] = []
  private(set) var counts: [DynamicPut.Outcome: Int] = [:]
  private(set) var wrong: [(line: Int, text: String)] = []
  private(set) var wrongCount = 0
  /// The number of lines that an earlier run had imported without a note of it.
  private(set) var known = 0
  private(set) var missingLinks = 0
  /// The last line that is in the store; nil before this run has committed any.
  private(set) var committed: Int?
  /// The line to resume at; nil for an import that came to its end.
  private(set) var interruptedAt: Int?

  init(
    _ store: DynamicStore,
    _ type: DynamicType?,
    _ input: ImportInput,
    _ conflict: DynamicConflict,
    _ start: ImportStart,
    _ context: ToolContext
  ) {
    self.store = store
    self.type = type
    self.input = input
    self.conflict = conflict
    self.start = start
    self.context = context
  }

  var isCSV: Bool { input.isCSV }
  /// How values are read; numbers in the place of dates only as `--dates` says.
  var jsonOptions: JSONOptions {
    var options = JSONOptions.default
    options.numericDates =
      switch context.invocation["dates"] {
      case "since-1970": .since1970
      case "since-2001": .since2001
      case "iso8601": .refused("--dates iso8601 takes texts only")
      default:
        .refused("say what it counts: --dates since-1970, or --dates since-2001 as JSONEncoder writes dates")
      }
    return options
  }
  /// Whether the store has notes of how far it has come.
  var isJournaled: Bool { start.journal != nil }

  /// The results of one batch.
  struct Batch {
    var counts: [DynamicPut.Outcome: Int] = [:]
    var wrong: [(line: Int, text: String)] = []
    var waiting: [LinkSpool.Entry] = []
    var known = 0

    mutating func append(_ other: Batch) {
      counts.merge(other.counts) { $0 + $1 }
      wrong += other.wrong
      waiting += other.waiting
      known += other.known
    }
  }

  /// The results of making links.
  struct Links {
    /// The number of objects that were written inside of links.
    var inserted = 0
    /// Links that lead to nothing, which are left out.
    var missing: [(line: Int, text: String)] = []
    /// Lines with objects inside of links that are wrong.
    var wrong: [(line: Int, text: String)] = []

    mutating func append(_ other: Links) {
      inserted += other.inserted
      missing += other.missing
      wrong += other.wrong
    }
  }

  typealias Transact = ((DynamicTransaction) throws -> Void) throws -> Void

  /// Imports everything; each call of `transact` is a transaction, which may run its closure again.
  func run(_ transact: Transact) throws {
    var reader = try input.reader()
    if isCSV { try readHeading(&reader) }
    var progress = context.progress("Importing KiB", total: input.size.map { $0 / 1024 + 1 })
    defer { progress?.finish() }
    let started = ContinuousClock.now
    var isFirst = true
    var record = try skip(&reader)
    while record != nil {
      var records: [RecordReader.Record] = []
      var size = 0
      while let next = record, records.count < Self.batchSize, size < 8 << 20 {
        records.append(next)
        size += next.bytes.count
        record = try reader.next()
      }
      let expectsKnown = isFirst && start.line > 1 && !start.isResumed
      if isFirst { try begin() }
      var batch = Batch()
      try transact { transaction in
        transaction.jsonOptions = jsonOptions
        if isFirst { try self.tidy(transaction) }
        batch = try self.perform(records, in: transaction, expectsKnown: expectsKnown)
        try self.note(batch, records, in: transaction)
      }
      isFirst = false
      committed = records.last?.line
      try take(batch)
      if let last = records.last, record != nil, context.streams.isInterrupted() {
        interruptedAt = last.line + 1
        return
      }
      progress?.update(completed: reader.consumed / 1024, elapsed: started.duration(to: .now))
    }
    try makeWaitingLinks(transact)
    try end(transact)
  }

  private func readHeading(_ reader: inout RecordReader) throws {
    guard let heading = try reader.next() else { return }
    do { columns = try CSVText.cells(of: heading.bytes).map(\.text) } catch let error as CSVError {
      throw ToolFailure(
        .failed,
        code: FiefError.Code.invalidValue.rawValue,
        error == .notUTF8 ? "The input is not UTF-8." : "The heading is not CSV. \(error)",
        next: error == .notUTF8
          ? "Convert it first, for instance with 'iconv -f UTF-16 -t UTF-8'."
          : "Correct the first row; then try again."
      )
    }
    let known = type.map { ObjectLines.columns(of: $0) } ?? []
    for (index, name) in columns.enumerated() {
      let isTwice = columns[..<index].contains(name)
      guard !known.contains(name) || isTwice else { continue }
      let nearest = NearestName.find(name, in: known).map { " Did you mean '\($0)'?" } ?? ""
      throw ToolFailure(
        .failed,
        code: FiefError.Code.unknownProperty.rawValue,
        isTwice
          ? "The heading has the column '\(Format.printable(name))' twice."
          : "\(type?.name ?? "The type") has no values '\(Format.printable(name))', which the heading "
            + "names.\(nearest)",
        next: "The first row has the names of the columns: \(known.joined(separator: ", "))."
      )
    }
  }

  /// Skips the lines that were imported before; their links may still have to be made.
  ///
  /// - Returns: the first record to import.
  private func skip(_ reader: inout RecordReader) throws -> RecordReader.Record? {
    var next = try reader.next()
    guard start.line > 1 else { return next }
    let types = store.types
    try store.read { snapshot in
      snapshot.jsonOptions = jsonOptions
      while let record = next, record.line < start.line {
        if record.line >= start.blind, let id = start.journal?.id {
          if let (typeName, key) = try snapshot.waitingObject(ofLine: record.line, of: id) {
            try spool.append(
              LinkSpool.Entry(line: record.line, typeName: typeName, key: key, bytes: record.bytes)
            )
          }
        } else if let entry = try entryIfSound(record, snapshot),
          let type = types.first(where: { $0.name == entry.typeName }),
          LinkOrder.hasLinks(type, among: types),
          try snapshot.object(ofType: entry.typeName, forKey: entry.key) != nil
        {
          try spool.append(entry)
        }
        next = try reader.next()
      }
    }
    return next
  }

  /// The entry of a line; nil for a line that is wrong, which was said when it was to be imported.
  private func entryIfSound(_ record: RecordReader.Record, _ snapshot: DynamicSnapshot) throws -> LinkSpool
    .Entry?
  {
    do { return try entry(for: record, snapshot) } catch {
      guard Self.text(of: error) != nil else { throw error }
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
    for line in batch.wrong { report(line.line, line.text) }
    for entry in batch.waiting { try spool.append(entry) }
    known += batch.known
  }

  private func report(_ line: Int, _ text: String) {
    wrongCount += 1
    if wrong.count < Self.mostListed { wrong.append((line: line, text: text)) }
  }

  private func makeWaitingLinks(_ transact: Transact) throws {
    try spool.forEachBatch(of: Self.batchSize) { entries in
      var links = Links()
      try transact { transaction in
        transaction.jsonOptions = jsonOptions
        links = try self.makeLinks(entries, in: transaction)
        guard let id = start.journal?.id else { return }
        for entry in entries { try transaction.forgetWaiting(line: entry.line, of: id) }
      }
      if links.inserted > 0 { counts[.inserted, default: 0] += links.inserted }
      missingLinks += links.missing.count
      for (line, text) in links.missing + links.wrong { report(line, text) }
    }
  }
}
