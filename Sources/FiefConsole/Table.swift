/// A table of text. Columns are as wide as their widest cell, and numbers are right-aligned.
package struct Table {
  /// A column: its heading and the alignment of its cells.
  package struct Column {
    var heading: String
    var alignment: Alignment
  }

  /// The alignment of the cells of a column.
  package enum Alignment {
    case left
    case right
  }

  private let columns: [Column]
  private var rows: [[String]] = []
  /// The style of each line on a terminal, beginning with the headings.
  private(set) var styles: [Console.Style?] = [nil]

  /// Creates an empty table. A heading that begins with `>` creates a right-aligned column, for numbers.
  package init(_ headings: String...) { self.init(headings: headings) }

  /// Creates an empty table from an array of headings.
  package init(headings: [String]) {
    columns = headings.map { heading in
      heading.hasPrefix(">")
        ? Column(heading: String(heading.dropFirst()), alignment: .right)
        : Column(heading: heading, alignment: .left)
    }
  }

  /// Adds a row. Missing cells are empty, and extra cells are ignored.
  package mutating func add(_ cells: String...) { add(cells) }

  /// Adds a row with a style for terminals with colours.
  package mutating func add(_ cells: [String], style: Console.Style? = nil) {
    styles.append(style)
    rows.append(
      columns.indices.map { index in
        index < cells.count ? Format.printable(cells[index]) : ""
      }
    )
  }

  /// Returns the lines of the table, beginning with the headings, without trailing spaces.
  package func lines() -> [String] {
    let all = [columns.map(\.heading)] + rows
    let widths = columns.indices.map { column in all.map { Format.width($0[column]) }.max() ?? 0 }
    return all.map { row in
      var line = ""
      for (index, cell) in row.enumerated() {
        if index > 0 { line += "  " }
        let padding = String(repeating: " ", count: widths[index] - Format.width(cell))
        line += columns[index].alignment == .left ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
