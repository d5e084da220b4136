import FiefConsole

/// A table of values that fits a width: the widest columns are cut first, and those that find no room are
/// named below.
struct FittedTable {
  private let headings: [String]
  private let rows: [[String]]
  private let width: Int
  private static let least = 8

  init(headings: [String], rows: [[String]], width: Int) {
    self.headings = headings
    self.rows = rows
    self.width = width
  }

  /// The lines, the headings first.
  func lines() -> [String] {
    var widths = headings.indices.map { column in
      ([headings[column]] + rows.map { $0[column] }).map(\.count).max() ?? 0
    }
    var count = widths.count
    // Each column keeps its least width, or leaves.
    while count > 1, total(widths.prefix(count).map { min($0, Self.least) }) > width { count -= 1 }
    widths = Array(widths.prefix(count))
    while total(widths) > width, let widest = widths.max(), widest > Self.least {
      // The widest go down to the next one, or as far as is needed.
      let indexes = widths.indices.filter { widths[$0] == widest }
      let next = max(widths.filter { $0 < widest }.max() ?? Self.least, Self.least)
      let excess = total(widths) - width
      let step = min(widest - next, max(1, excess / indexes.count))
      for index in indexes { widths[index] -= max(step, 1) }
    }
    var table = Table(headings: headings.prefix(count).enumerated().map { ValueText.cut($1, to: widths[$0]) })
    for row in rows { table.add(row.prefix(count).enumerated().map { ValueText.cut($1, to: widths[$0]) }) }
    let left = headings.dropFirst(count)
    return table.lines() + (left.isEmpty ? [] : ["", "not shown: " + left.joined(separator: ", ")])
  }

  private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + max(0, widths.count - 1) * 2 }
}
