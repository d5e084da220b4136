import FiefConsole

/// A table of values that fits a width. The widest columns are truncated first and keys last. Columns that do
/// not fit are named below the table.
struct FittedTable {
  private let headings: [String]
  private let rows: [[String]]
  private let width: Int
  /// The indexes of the key's columns. A key is useful only as a whole.
  private let keys: Set<Int>
  private static let least = 8
  private static let leastOfKeys = 40

  init(headings: [String], keys: Set<Int> = [], rows: [[String]], width: Int) {
    self.headings = headings
    self.keys = keys
    self.rows = rows
    self.width = width
  }

  /// Returns the lines, beginning with the headings.
  func lines() -> [String] {
    var widths = headings.indices.map { column in
      ([headings[column]] + rows.map { $0[column] }).map { Format.width($0) }.max() ?? 0
    }
    let least = widths.enumerated().map { min($1, keys.contains($0) ? Self.leastOfKeys : Self.least) }
    var count = widths.count
    // Each column keeps its minimum width or is omitted.
    while count > 1, total(least.prefix(count)) > width { count -= 1 }
    widths = Array(widths.prefix(count))
    while total(widths) > width {
      // The widest columns that can shrink are reduced to the next width, or as far as necessary.
      let candidates = widths.indices.filter { widths[$0] > least[$0] }
      guard let widest = candidates.map({ widths[$0] }).max() else { break }
      for index in candidates where widths[index] == widest && total(widths) > width { widths[index] -= 1 }
    }
    let shown = headings.prefix(count)
    var table = Table(headings: shown.enumerated().map { Format.cut($1, to: widths[$0]) })
    for row in rows { table.add(row.prefix(count).enumerated().map { Format.cut($1, to: widths[$0]) }) }
    let left = headings.dropFirst(count)
    return table.lines() + (left.isEmpty ? [] : ["", "not shown: " + left.joined(separator: ", ")])
  }

  private func total(_ widths: some Collection<Int>) -> Int {
    widths.reduce(0, +) + max(0, widths.count - 1) * 2
  }
}
