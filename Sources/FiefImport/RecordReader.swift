package import Foundation

/// Reads the records of a file one after another: lines of JSON, or rows of CSV, whose quoted cells may go
/// over several lines. Only one record, and some of the file behind it, is in memory.
package struct RecordReader {
  /// One record.
  package struct Record {
    /// The number of the line that it begins in, from 1.
    package let line: Int
    /// The record's bytes without the end of the line.
    package let bytes: [UInt8]
  }

  private let isCSV: Bool
  private let read: () throws -> Data
  private var buffer: [UInt8] = []
  private var position = 0
  private var line = 1
  private var isAtEnd = false
  /// The number of the source's bytes that have been handed out.
  package private(set) var consumed = 0

  /// - Parameter read: gives the next bytes; none at the end.
  package init(isCSV: Bool, read: @escaping () throws -> Data) {
    self.isCSV = isCSV
    self.read = read
  }

  /// The next record that is not empty; nil at the end.
  ///
  /// - Parameter isWholeOnly: whether a record that the source ends inside of is left out.
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

  /// The part of a row of CSV that a byte is in.
  private enum Place {
    case startOfCell
    case plainCell
    case quotes
    case afterQuote
  }

  /// The place of the end of line that ends the record, and the number of ends of lines up to it.
  private mutating func endOfRecord() throws -> (end: Int?, lines: Int) {
    var index = position
    var lines = 0
    // Only at the start of a cell does a quote begin one: a stray one must not swallow the rows after it.
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
    // A mark of the order of bytes is no part of the first cell.
    case (.startOfCell, 0xEF), (.startOfCell, 0xBB), (.startOfCell, 0xBF): isMark ? .startOfCell : .plainCell
    default: .plainCell
    }
  }

  /// The bytes without a carriage return at the end, and without a byte order mark at the beginning of the file.
  private func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if bytes.last == 0x0D { bytes.removeLast() }
    if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    return bytes
  }
}
