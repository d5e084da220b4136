/// A walk through a large set or map, which hands out runs of its elements in the order of their names.
struct LargeRuns {
  private let table: LargeTable
  /// The entries, where the tree has them in another order.
  private var sorted: SortedEntries?
  /// The place of the next one of these.
  private var place = 0
  /// The key in the tree behind which it goes on.
  private var last: [UInt8]?

  /// - Parameter name: the name behind which it begins; nil for the first element.
  init(_ table: LargeTable, behind name: [UInt8]?) throws {
    self.table = table
    if table.isOutOfOrder {
      let entries = try table.sortedEntries()
      sorted = entries
      place = name.map { entries.place(behind: $0) } ?? 0
    } else {
      last = name?.withUnsafeBytes { table.entryKey(of: $0) }
    }
  }

  /// The next elements; nil at the end. In an encrypted store they are those of the time at which the walk began, else the present ones.
  mutating func next() throws -> ElementRun? {
    if let sorted { return sorted.run(from: &place) }
    return try table.nextRun(after: &last)
  }
}
