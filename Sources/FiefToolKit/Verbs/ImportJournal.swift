import Fief
import FiefConsole
import Foundation

/// The file `FILE.import` beside the input of an import, which identifies the import. Its progress is
/// recorded in the store, in the same commits as the objects.
struct ImportJournal: Codable {
  /// The identifier of the import.
  var id: UUID
  /// The identifier of the store that receives the objects.
  var store: UUID
  /// The type that the command line specifies.
  var type: String?
  /// The line with which the import began.
  var first: Int
  /// The options of the command line.
  var options: ImportOptions?
  /// Whether the import is complete and only this file remained to be removed.
  var isDone = false

  private static func path(of input: String) -> String { input + ".import" }

  /// Returns the journal of a file, or `nil` if the file has no journal.
  ///
  /// - Throws: ``ToolFailure`` if the journal cannot be read.
  static func read(of input: String) throws -> ImportJournal? {
    let path = path(of: input)
    guard let data = FileManager.default.contents(atPath: path) else {
      // Without the journal the import would start over, and insert objects without a key a second time.
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      throw refused(
        "'\(name(of: input))' cannot be read.",
        next: "Make it readable, or remove it to start over."
      )
    }
    if let journal = try? JSONDecoder().decode(ImportJournal.self, from: data) { return journal }
    throw refused(
      "'\(name(of: input))' is not an import journal.",
      next: "Remove it to start over."
    )
  }

  /// Writes the journal, which is on disk when this returns.
  func write(of input: String) throws {
    let file = try PartialFile(path: Self.path(of: input), keeping: 0)
    try file.write(try JSONEncoder().encode(self))
    try file.finish()
  }

  /// Removes the journal.
  static func remove(of input: String) { try? FileManager.default.removeItem(atPath: path(of: input)) }

  /// Returns the journal's name in a form that is safe to print.
  static func name(of input: String) -> String {
    Format.printable((path(of: input) as NSString).lastPathComponent)
  }

  static func refused(_ happened: String, next: String) -> ToolFailure {
    ToolFailure(.refused, code: "journal", happened, next: next)
  }
}
