import LMDB

/// Fills new indexes of one type from its records, in bounded memory.
///
/// Entries are sorted in memory, or in runs on the disk where they are too many, and appended to their trees in
/// order, which fills the pages.
final class IndexBuilder {
  /// The greatest memory of the entries of all indexes, in bytes.
  private static let memory = 64 << 20

  private let migration: Migration
  private let table: Table
  private let parts: [Part]
  private var words = WordList()

  /// One index.
  private final class Part {
    let index: Table.Index
    let buffer: TreeBuffer
    var runs: EntryRuns?
    var texts = 0
    var words = 0
    /// The number of entries in memory and on the disk, all together.
    var entries = 0

    init(_ index: Table.Index, of table: Table) {
      self.index = index
      buffer = TreeBuffer(index.database)
      if index.entry.isUnique { buffer.unique = (table, index) }
    }
  }

  init(_ migration: Migration, _ table: Table, _ indexes: [Table.Index]) {
    self.migration = migration
    self.table = table
    parts = indexes.map { Part($0, of: table) }
  }

  /// - Throws: ``FiefError`` of code `duplicateValue` where objects have the same values in a unique index.
  func build() throws {
    guard let records = table.records else { return }
    let transaction = migration.writer.transaction
    let count = try transaction.count(records)
    let reading = migration.progress.begin("\(table.name): reading for indexes", total: count)
    let limit = Self.memory / max(parts.count, 1)
    let cursor = try transaction.cursor(records)
    while try cursor.next() {
      let view = try table.view(cursor.value)
      try view.verifyChecksum(cursor.key, of: table)
      for part in parts {
        try RecordWriter.addEntries(
          of: part.index,
          table,
          key: cursor.key,
          view: view,
          words: &words,
          to: part.buffer
        )
        if part.buffer.size > limit { try spill(part) }
      }
      reading.advance()
    }
    reading.finish()
    for part in parts { try write(part) }
  }

  private func spill(_ part: Part) throws {
    if part.runs == nil { part.runs = try EntryRuns(directory: migration.directory) }
    try part.runs?.addRun { try part.buffer.forEachSorted($0) }
    forget(part)
  }

  private func forget(_ part: Part) {
    part.entries += part.buffer.entries.count
    part.texts += part.buffer.texts
    part.words += part.buffer.words
    part.buffer.removeAll()
  }

  private func write(_ part: Part) throws {
    let transaction = migration.writer.transaction
    let progress = migration.progress.begin(
      "\(table.name): writing the \(part.index.entry.name(in: table.entry))",
      total: part.entries + part.buffer.entries.count
    )
    try transaction.removeAll(part.index.database)
    let cursor = try transaction.writeCursor(part.index.database)
    var neighbours = UniqueNeighbours(table: table, index: part.index)
    let add = { (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, firstCount: Int) in
      try cursor.put(key, value)
      if firstCount > 0 { neighbours.add(key, value, firstCount: firstCount) }
      progress.advance()
    }
    if let runs = part.runs {
      if !part.buffer.isEmpty { try spill(part) }
      try runs.merge(add)
    } else {
      try part.buffer.forEachSorted(add)
      forget(part)
    }
    // The sums come before all words, but are known last.
    try FullTextEntry.add(texts: part.texts, words: part.words, to: part.index.database, in: transaction)
    progress.finish()
    try migration.report(neighbours.suspects)
  }
}

/// Finds entries of the same values while a unique index is written in order.
struct UniqueNeighbours {
  let table: Table
  let index: Table.Index
  /// The number of suspects that are kept; more would only be counted.
  private static let most = 1000
  private(set) var suspects: [UniqueSuspect] = []
  private var last: [UInt8] = []

  init(table: Table, index: Table.Index) {
    self.table = table
    self.index = index
  }

  mutating func add(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, firstCount: Int) {
    let first = UnsafeRawBufferPointer(rebasing: key[..<firstCount])
    guard last.elementsEqual(first) else {
      last.removeAll(keepingCapacity: true)
      last.append(contentsOf: first)
      return
    }
    guard suspects.count < Self.most else { return }
    suspects.append(
      UniqueSuspect(
        table: table,
        index: index,
        entry: [UInt8](key),
        firstCount: firstCount,
        objectKey: CompositeKey.objectKey(key: key, value: value, prefixCount: firstCount).bytes
      )
    )
  }
}

extension Migration {
  /// The number of violations of unique indexes that are listed.
  private static let listedViolations = 20

  /// Makes sure that no two objects have the same values in a unique index.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue` that lists the first of them.
  func checkUnique() throws {
    try writer.flushTrees()
    defer { writer.suspects = [] }
    try report(writer.suspects)
  }

  /// - Throws: ``FiefError`` of code `duplicateValue` that lists the first objects that are not alone.
  func report(_ suspects: [UniqueSuspect]) throws {
    var first: FiefError?
    var lines: [String] = []
    var count = 0
    for suspect in suspects {
      guard var error = try writer.duplicate(suspect) else { continue }
      count += 1
      if count <= Self.listedViolations {
        let place = HiddenValue.place(error.key ?? "")
        lines.append("\(error.type ?? "")\(place): " + error.lines.joined(separator: ", "))
      }
      if first == nil {
        error.message = "Objects have the same values, and the index is unique."
        first = error
      }
    }
    guard var error = first else { return }
    if count > lines.count { lines.append("and \(count - lines.count) more") }
    error.details = lines
    throw error
  }
}
