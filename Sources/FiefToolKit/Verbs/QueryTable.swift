import Fief
import FiefConsole

/// Writes the objects of a query as a table that fits the terminal.
struct QueryTable {
  private let columns: [String]
  private let keys: Set<Int>
  private let console: Console
  /// The widths of the columns are computed per page of rows, so that memory stays bounded.
  private static let page = 1000

  init(_ type: DynamicType, _ columns: [String], _ console: Console) {
    self.columns = columns
    self.console = console
    keys = Set(columns.indices.filter { columns[$0] == "$key" || type.primaryKey.contains(columns[$0]) })
  }

  /// - Parameter limit: the maximum number of rows, or 0 for all.
  func write(_ query: DynamicQuery, limit: Int) throws {
    var rows: [[String]] = []
    var shown = 0
    var hasMore = false
    // Reads one more object than requested, to find out whether there are more.
    let few = limit == 0 ? query : try query.limited(to: limit == .max ? limit : limit + 1)
    try few.forEach { object in
      guard limit == 0 || shown < limit else {
        hasMore = true
        return
      }
      rows.append(
        try columns.map { Format.cut(try ValueText.text(of: $0, in: object), to: console.terminal.width) }
      )
      shown += 1
      if rows.count == Self.page { flush(&rows) }
    }
    if !rows.isEmpty || shown == 0 { flush(&rows) }
    console.line()
    let objects = shown == 1 ? "1 object" : "\(Format.count(shown)) objects"
    console.line(hasMore ? "the first \(objects); --limit 0 shows all, --count counts them" : objects)
  }

  private func flush(_ rows: inout [[String]]) {
    let table = FittedTable(headings: columns, keys: keys, rows: rows, width: console.terminal.width)
    for line in table.lines() { console.line(line) }
    rows = []
  }
}
