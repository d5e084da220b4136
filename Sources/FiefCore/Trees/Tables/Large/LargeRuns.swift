import LMDB

/// A walk through a large set or map, which hands out runs of its elements in the order of their names.
struct LargeRuns {
  private let table: LargeTable
  /// The entries, where the tree has them in another order.
  private let sorted: SortedEntries?
  /// The place of the next element, where that is known.
  private(set) var place = 0
  /// The key in the tree behind which it goes on.
  private var last: [UInt8]?
  /// The place behind the last element; nil where that is not known.
  private var end: Int?

  /// - Throws: ``FiefError`` of code `damagedRecord` where there is no such collection.
  init(_ table: LargeTable) throws {
    self.table = table
    end = try table.existingCount()
    sorted = table.isOutOfOrder ? try table.sortedEntries() : nil
  }

  /// - Parameters:
  ///   - name: the name behind which it begins.
  ///   - known: the place behind that name, where it is known.
  init(_ table: LargeTable, behind name: [UInt8], at known: Int?) throws {
    try self.init(table)
    if let sorted {
      place = sorted.place(behind: name)
      return
    }
    last = name.withUnsafeBytes { table.entryKey(of: $0) }
    if let known { place = known } else { end = nil }
  }

  /// A walk that begins at a place or before it: ``place`` says where.
  init(_ table: LargeTable, toward start: Int) throws {
    try self.init(table)
    if let sorted { place = Swift.min(Swift.max(start, 0), sorted.count) }
  }

  /// The next elements; nil at the end.
  ///
  /// In a write, names of an encrypted store are those of the time at which the walk began.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` where it finds fewer or more elements than are counted.
  mutating func next() throws -> ElementRun? {
    if let run = try nextRun() { return run }
    if let end, place != end { throw RecordView.damaged }
    return nil
  }

  /// Whether it is behind the entry of a key, so that what happens to that changes only places.
  func isBehind(_ key: [UInt8]) -> Bool {
    if sorted != nil { return false }
    return last.map { !$0.lexicographicallyPrecedes(key) } ?? false
  }

  /// Counts on from another place, after entries that it is behind were put in or taken out.
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
