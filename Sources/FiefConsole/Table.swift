/// A table of text: columns as wide as their widest cell, numbers to the right.
package struct Table {
  /// One column: its heading, and the side its cells lean to.
  package struct Column {
    var heading: String
    var alignment: Alignment
  }

  /// The side of a column that its cells touch.
  package enum Alignment {
    case left
    case right
  }

  private let columns: [Column]
  private var rows: [[String]] = []
  /// The style of each line on a terminal, the headings first.
  private(set) var styles: [Console.Style?] = [nil]

  /// Makes an empty table; a heading that starts with `>` makes a column of numbers.
  package init(_ headings: String...) { self.init(headings: headings) }

  /// Makes an empty table whose columns are known when the program runs.
  package init(headings: [String]) {
    columns = headings.map { heading in
      heading.hasPrefix(">")
        ? Column(heading: String(heading.dropFirst()), alignment: .right)
        : Column(heading: heading, alignment: .left)
    }
  }

  /// Adds a row; missing cells are empty and cells past the last column are left out.
  package mutating func add(_ cells: String...) { add(cells) }

  /// Adds a row that stands out on a terminal with colours.
  package mutating func add(_ cells: [String], style: Console.Style? = nil) {
    styles.append(style)
    rows.append(
      columns.indices.map { index in
        index < cells.count ? Format.printable(cells[index]) : ""
      }
    )
  }

  /// The table's lines, the headings first, without trailing blanks.
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
