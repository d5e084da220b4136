import Fief
import FiefImport
import Foundation

/// Formats objects as lines of a file: JSON lines or CSV.
final class ObjectLines {
  let isCSV: Bool
  /// The columns of CSV.
  let columns: [String]
  /// Shared by all objects, because it caches the columns of their types.
  private var json = JSONText()

  init(isCSV: Bool, columns: [String]) {
    self.isCSV = isCSV
    self.columns = columns
  }

  /// Returns the names of a type's columns in order, including the column of row ids for a type without a
  /// primary key.
  static func columns(of type: DynamicType) -> [String] {
    type.lineColumns
  }

  /// The first line of CSV, including its newline.
  var heading: [UInt8]? {
    guard isCSV else { return nil }
    var line: [UInt8] = []
    for (index, name) in columns.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      CSVText.append(CSVCell(text: name, isQuoted: false), to: &line)
    }
    return line + [0x0A]
  }

  /// Appends an object and a newline.
  func append(
    _ object: DynamicObject,
    typeName: String?,
    columns wanted: [String]? = nil,
    to bytes: inout [UInt8]
  ) throws {
    if isCSV {
      for (index, name) in columns.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        CSVText.append(try object.cell(of: name), to: &bytes)
      }
    } else {
      json.removeAll()
      try json.append(object, typeName: typeName, columns: wanted)
      bytes += json.bytes
    }
    bytes.append(0x0A)
  }
}
