import Fief
import FiefImport
import Foundation

/// Objects as lines of a file: JSON lines or CSV.
final class ObjectLines {
  let isCSV: Bool
  /// The columns of CSV.
  let columns: [String]
  /// One for all objects, as it remembers the columns of their types.
  private var json = JSONText()

  init(isCSV: Bool, columns: [String]) {
    self.isCSV = isCSV
    self.columns = columns
  }

  /// The names of a type's values in order, with that of the number of objects without a primary key.
  static func columns(of type: DynamicType) -> [String] {
    (type.primaryKey.isEmpty && !type.isEmbedded ? ["$key"] : []) + type.storedColumns.map(\.name)
  }

  /// The first line of CSV, with its end.
  var heading: [UInt8]? {
    guard isCSV else { return nil }
    var line: [UInt8] = []
    for (index, name) in columns.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      CSVText.append(CSVCell(text: name, isQuoted: false), to: &line)
    }
    return line + [0x0A]
  }

  /// Appends an object and the end of its line.
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
