import LMDB

/// Reads a large set or map in runs of elements, in the order of their names.
struct LargeRuns {
  private let table: LargeTable
  /// The sorted entries; `nil` if the tree itself has the order of the names.
  private let sorted: SortedEntries?
  /// The index of the next element, if it is known.
  private(set) var place = 0
  /// The key in the tree after which the walk continues.
  private var last: [UInt8]?
  /// The index after the last element, or `nil` if it is unknown.
  private var end: Int?

  /// - Throws: ``FiefError`` of code `damagedRecord` if the collection does not exist.
  init(_ table: LargeTable) throws {
    self.table = table
    end = try table.existingCount()
    sorted = table.isOutOfOrder ? try table.sortedEntries() : nil
  }

  /// - Parameters:
  ///   - name: The name after which the walk begins.
  ///   - known: The index after that name, if it is known.
  init(_ table: LargeTable, behind name: [UInt8], at known: Int?) throws {
    try self.init(table)
    if let sorted {
      place = sorted.place(behind: name)
      return
    }
    last = name.withUnsafeBytes { table.entryKey(of: $0) }
    if let known { place = known } else { end = nil }
  }

  /// Creates a walk that begins at `start` or earlier. ``place`` is the index at which it actually begins.
  init(_ table: LargeTable, toward start: Int) throws {
    try self.init(table)
    if let sorted { place = Swift.min(Swift.max(start, 0), sorted.count) }
  }

  /// Returns the next elements, or `nil` at the end.
  ///
  /// In a write to an encrypted store, the walk returns the names that existed when it was created.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the number of elements differs from the stored count.
  mutating func next() throws -> ElementRun? {
    if let run = try nextRun() { return run }
    if let end, place != end { throw RecordView.damaged }
    return nil
  }

  /// Whether the walk has passed the entry of a key. A change of this entry then only shifts indexes.
  func isBehind(_ key: [UInt8]) -> Bool {
    if sorted != nil { return false }
    return last.map { !$0.lexicographicallyPrecedes(key) } ?? false
  }

  /// Shifts the indexes after entries that the walk has passed were inserted or removed.
  mutating func shift(by count: Int) {
    place += count
    if let end { self.end = end + count }
  }

  private mutating func nextRun() throws -> ElementRun? {
    guard let sorted else {
      let run = try table.nextRun(after: &last)
      place += run?.count ?? 0
      return run
    }
    let run = try table.run(of: sorted, from: &place)
    return run.count == 0 ? nil : run
  }
}
