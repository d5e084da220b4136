import Fief
import FiefConsole
import Foundation

/// The file beside the input of an import, `FILE.import`, that names the import. Its progress is in the
/// store, in the same commits as the objects.
struct ImportJournal: Codable {
  /// The import.
  var id: UUID
  /// The store that it goes into.
  var store: UUID
  /// The type that the command line named.
  var type: String?
  /// The line that it began with.
  var first: Int
  /// The options of the command line.
  var options: ImportOptions?
  /// Whether everything is in the store, and only this file was left to be removed.
  var isDone = false

  private static func path(of input: String) -> String { input + ".import" }

  /// The journal of a file; nil where it has none.
  ///
  /// - Throws: ``ToolFailure`` for one that cannot be read.
  static func read(of input: String) throws -> ImportJournal? {
    let path = path(of: input)
    guard let data = FileManager.default.contents(atPath: path) else {
      // Without the journal the import would begin again, and put objects without a key into the store a second time.
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      throw refused(
        "'\(name(of: input))' cannot be read.",
        next: "Make it readable, or remove it to begin from the start."
      )
    }
    if let journal = try? JSONDecoder().decode(ImportJournal.self, from: data) { return journal }
    throw refused(
      "'\(name(of: input))' is no journal of an import.",
      next: "Remove it to start over."
    )
  }

  /// Writes it; it is on the disk then.
  func write(of input: String) throws {
    let file = try PartialFile(path: Self.path(of: input), keeping: 0)
    try file.write(try JSONEncoder().encode(self))
    try file.finish()
  }

  /// Removes it.
  static func remove(of input: String) { try? FileManager.default.removeItem(atPath: path(of: input)) }

  /// The journal's name, safe to print.
  static func name(of input: String) -> String {
    Format.printable((path(of: input) as NSString).lastPathComponent)
  }

  static func refused(_ happened: String, next: String) -> ToolFailure {
    ToolFailure(.refused, code: "journal", happened, next: next)
  }
}
