import LMDB

/// Fills new indexes of one type from its records, in bounded memory.
///
/// The builder sorts the entries in memory, or in runs on the disk if there are too many. Then it appends
/// them to their trees in order, which fills the pages.
final class IndexBuilder {
  /// The maximum memory for the entries of all indexes, in bytes.
  private static let memory = 64 << 20

  private let migration: Migration
  private let table: Table
  private let parts: [Part]

  /// One index.
  private final class Part {
    let index: Table.Index
    let buffer: TreeBuffer
    var runs: EntryRuns?
    /// The number of entries that were taken out of the buffer.
    var entries = 0

    init(_ index: Table.Index, of table: Table) {
      self.index = index
      buffer = TreeBuffer(index, of: table)
    }
  }

  init(_ migration: Migration, _ table: Table, _ indexes: [Table.Index]) {
    self.migration = migration
    self.table = table
    parts = indexes.map { Part($0, of: table) }
  }

  /// - Throws: ``FiefError`` of code `duplicateValue` if two objects have the same values in a unique index.
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
    // Sums over all objects are complete only after the last record.
    try part.buffer.maintainer?.finish(in: transaction)
    progress.finish()
    try migration.report(neighbours.suspects)
  }
}

/// Finds entries with equal values while a unique index is written in order.
struct UniqueNeighbours {
  let table: Table
  let index: Table.Index
  /// The maximum number of suspects to keep.
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
  /// The number of violations of unique indexes that an error lists.
  private static let listedViolations = 20

  /// Checks that no two objects have the same values in a unique index.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue` that lists the first violations.
  func checkUnique() throws {
    try writer.flushTrees()
    defer { writer.suspects = [] }
    try report(writer.suspects)
  }

  /// Checks the suspects of unique indexes.
  ///
  /// - Throws: ``FiefError`` of code `duplicateValue` that lists the first violations.
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
        error.message = "Several objects have the same values, but the index is unique."
        first = error
      }
    }
    guard var error = first else { return }
    if count > lines.count { lines.append("and \(count - lines.count) more") }
    error.details = lines
    throw error
  }
}
