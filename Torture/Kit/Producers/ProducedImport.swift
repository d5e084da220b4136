import Foundation

/// A file of JSON lines that the tool imports: items of its own, in three batches.
package struct ProducedImport: Sendable {
  package static let firstID = 10_000_000
  /// The tool commits a thousand lines at once.
  package static let batch = 1_000
  package static let lines = 2_300

  /// The number of the import; each is another one.
  package let number: Int
  package let path: String

  package init(number: Int, in directory: String, store: String) {
    self.number = number
    path = "\(directory)/\(store)-\(number).jsonl"
  }

  /// Whether an import of the file was begun and has not ended.
  package var isOpen: Bool { FileManager.default.fileExists(atPath: path + ".import") }

  static func place(of id: Int) -> (number: Int, line: Int) {
    let (number, line) = (id - firstID).quotientAndRemainder(dividingBy: 10_000)
    return (number, line)
  }

  package static func ids(_ number: Int) -> Range<Int> {
    let start = firstID + number * 10_000
    return start..<(start + lines)
  }

  /// - Parameter version: that of the store; its items have the stars of the second one.
  package func writeFile(version: UInt64) throws {
    var text = ""
    for (line, id) in Self.ids(number).enumerated() {
      text +=
        #"{"id":\#(id),"code":"import \#(number) \#(line)","rank":\#(line % 11),"text":"imported words \#(line % 50)""#
      text += version == 1 ? "}\n" : #","stars":\#(id % 6)}"# + "\n"
    }
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }
}
