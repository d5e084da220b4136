package import Fief

/// Formats and parses CSV cells according to RFC 4180.
package enum CSVText {
  /// Appends a cell, in quotes if its text or value requires them.
  package static func append(_ cell: CSVCell, to bytes: inout [UInt8]) {
    let text = cell.text.utf8
    let isPlain = text.allSatisfy { $0 != 0x22 && $0 != 0x2C && $0 != 0x0A && $0 != 0x0D }
    let isBlankAtEnd = text.first == 0x20 || text.last == 0x20
    guard cell.isQuoted || !isPlain || isBlankAtEnd else {
      bytes.append(contentsOf: text)
      return
    }
    bytes.append(0x22)
    for unit in text {
      if unit == 0x22 { bytes.append(0x22) }
      bytes.append(unit)
    }
    bytes.append(0x22)
  }

  /// Returns the cells of a row.
  ///
  /// - Throws: ``CSVError`` if quotes are not closed, or if text follows them.
  package static func cells(of row: [UInt8]) throws -> [CSVCell] {
    var cells: [CSVCell] = []
    var index = 0
    while true {
      let cell = try cell(in: row, at: &index)
      cells.append(cell)
      guard index < row.count else { return cells }
      // A cell that is not the last one ends with a comma.
      index += 1
    }
  }

  private static func cell(in row: [UInt8], at index: inout Int) throws -> CSVCell {
    guard index < row.count, row[index] == 0x22 else {
      let end = row[index...].firstIndex(of: 0x2C) ?? row.count
      let units = row[index..<end]
      index = end
      guard !units.contains(0x22) else { throw CSVError.strayQuote }
      return CSVCell(text: try text(Array(units)), isQuoted: false)
    }
    var units: [UInt8] = []
    index += 1
    while index < row.count {
      if row[index] != 0x22 {
        units.append(row[index])
        index += 1
      } else if index + 1 < row.count, row[index + 1] == 0x22 {
        units.append(0x22)
        index += 2
      } else {
        index += 1
        guard index == row.count || row[index] == 0x2C else { throw CSVError.strayQuote }
        return CSVCell(text: try text(units), isQuoted: true)
      }
    }
    throw CSVError.openQuote
  }

  private static func text(_ units: [UInt8]) throws -> String {
    guard let text = String(validating: units, as: UTF8.self) else { throw CSVError.notUTF8 }
    return text
  }
}

/// An error in a row of CSV.
package enum CSVError: Error, Equatable, CustomStringConvertible {
  case strayQuote
  case openQuote
  case notUTF8
  case wrongCount(Int, expected: Int)

  package var description: String {
    switch self {
    case .strayQuote: "A quote is in the middle of a cell; enclose a cell that contains quotes in quotes."
    case .openQuote: "A cell begins with a quote but does not end with a quote."
    case .notUTF8: "A string is not valid UTF-8."
    case .wrongCount(let count, let expected): "The row has \(count) cells, but the heading has \(expected)."
    }
  }
}
