import LMDB

/// A walk through a large set or map, which hands out runs of its elements in the order of their names.
struct LargeRuns {
  private let table: LargeTable
  /// The entries, where the tree has them in another order.
  private let sorted: SortedEntries?
  /// The place of the next element, where the walk began at the first one.
  private(set) var place = 0
  /// The key in the tree behind which it goes on.
  private var last: [UInt8]?
  /// The place behind the last element; nil where that is not known.
  private var end: Int?

  /// - Parameter name: the name behind which it begins; nil for the first element.
  /// - Throws: ``FiefError`` of code `damagedRecord` where there is no such collection.
  init(_ table: LargeTable, behind name: [UInt8]? = nil) throws {
    self.table = table
    let count = try table.existingCount()
    sorted = table.isOutOfOrder ? try table.sortedEntries() : nil
    guard let name else {
      end = count
      return
    }
    if let sorted {
      place = sorted.place(behind: name)
    } else {
      last = name.withUnsafeBytes { table.entryKey(of: $0) }
    }
  }

  /// A walk that begins at a place or before it: ``place`` says where.
  init(_ table: LargeTable, toward start: Int) throws {
    try self.init(table)
    if let sorted { place = Swift.min(Swift.max(start, 0), sorted.count) }
  }

  /// The next elements; nil at the end.
  ///
  /// In a write, names of an encrypted store are those of the time at which the walk began, and elements of a map the present ones.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` where the walk ends before all elements, or behind them.
  mutating func next() throws -> ElementRun? {
    if let run = try nextRun() { return run }
    if let end, place != end { throw RecordView.damaged }
    return nil
  }

  /// Has the walk end wherever there are no more elements, because a write has changed the collection meanwhile.
  mutating func endAnywhere() { end = nil }

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
