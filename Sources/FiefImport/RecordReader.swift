package import Foundation

/// Reads the records of a file one after another: lines of JSON, or rows of CSV, whose quoted cells may span
/// several lines. Only one record and some of the bytes after it are in memory.
package struct RecordReader {
  /// A record.
  package struct Record {
    /// The number of the line in which the record begins, starting at 1.
    package let line: Int
    /// The bytes of the record without the newline.
    package let bytes: [UInt8]
  }

  private let isCSV: Bool
  private let read: () throws -> Data
  private var buffer: [UInt8] = []
  private var position = 0
  private var line = 1
  private var isAtEnd = false
  /// The number of bytes of the source that have been returned.
  package private(set) var consumed = 0

  /// - Parameter read: returns the next bytes, or no bytes at the end.
  package init(isCSV: Bool, read: @escaping () throws -> Data) {
    self.isCSV = isCSV
    self.read = read
  }

  /// Returns the next record that is not empty, or `nil` at the end.
  ///
  /// - Parameter isWholeOnly: whether to omit an incomplete record at the end of the source.
  package mutating func next(isWholeOnly: Bool = false) throws -> Record? {
    while true {
      let first = line
      let (end, lines) = try endOfRecord()
      guard let end else {
        let rest = trimmed(Array(buffer[position...]))
        position = buffer.count
        if rest.isEmpty || isWholeOnly { return nil }
        consumed += rest.count
        return Record(line: first, bytes: rest)
      }
      let bytes = trimmed(Array(buffer[position..<end]))
      consumed += end + 1 - position
      position = end + 1
      line += lines
      if !bytes.isEmpty { return Record(line: first, bytes: bytes) }
    }
  }

  /// The position of a byte in a CSV row.
  private enum Place {
    case startOfCell
    case plainCell
    case quotes
    case afterQuote
  }

  /// Returns the position of the newline that ends the record, and the number of newlines up to it.
  private mutating func endOfRecord() throws -> (end: Int?, lines: Int) {
    var index = position
    var lines = 0
    // A quote is special only at the start of a cell, so that the following rows do not become part of a cell
    // with a stray quote.
    var place = Place.startOfCell
    while true {
      while index < buffer.count {
        let unit = buffer[index]
        if unit == 0x0A {
          lines += 1
          if place != .quotes { return (index, lines) }
        } else if isCSV {
          place = Self.next(place, unit, isMark: index - position < 3 && line == 1)
        }
        index += 1
      }
      if isAtEnd { return (nil, lines) }
      index -= position
      buffer.removeFirst(position)
      position = 0
      let more = try read()
      if more.isEmpty { isAtEnd = true } else { buffer += more }
    }
  }

  private static func next(_ place: Place, _ unit: UInt8, isMark: Bool) -> Place {
    switch (place, unit) {
    case (.quotes, 0x22): .afterQuote
    case (.quotes, _): .quotes
    case (.startOfCell, 0x22), (.afterQuote, 0x22): .quotes
    case (_, 0x2C): .startOfCell
    // A byte order mark is not part of the first cell.
    case (.startOfCell, 0xEF), (.startOfCell, 0xBB), (.startOfCell, 0xBF): isMark ? .startOfCell : .plainCell
    default: .plainCell
    }
  }

  /// Returns the bytes without a carriage return at the end, and without a byte order mark at the beginning
  /// of the file.
  private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if bytes.last == 0x0D { bytes.removeLast() }
    if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    return bytes
  }
}
