import Fief
import FiefConsole
import Foundation

/// What an import reads, and the journal beside it.
struct ImportInput {
  /// The file; nil for standard input.
  let path: String?
  let isCSV: Bool
  private let context: ToolContext
  private let storeID: UUID
  private let typeName: String?
  /// Holds the file that standard input was copied to.
  private var copy: TemporaryFile?

  init(_ context: ToolContext, storeID: UUID, typeName: String?) throws {
    let given = context.invocation["input"]
    let path = given == "-" ? nil : given
    self.path = path
    self.context = context
    self.storeID = storeID
    self.typeName = typeName
    let format = context.invocation["format"] ?? (path?.hasSuffix(".csv") == true ? "csv" : "jsonl")
    isCSV = format == "csv"
    guard let path else { return }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue
    else {
      throw ToolFailure(
        .notFound,
        code: "notFound",
        "There is no file '\(Format.printable(path))'.",
        next: "Look whether the path is right."
      )
    }
  }

  private init(copyOf other: ImportInput, _ copy: TemporaryFile) {
    path = nil
    self.copy = copy
    isCSV = other.isCSV
    context = other.context
    storeID = other.storeID
    typeName = other.typeName
  }

  /// The size of the file in bytes; nil where nobody knows.
  var size: Int? {
    guard let path else { return nil }
    return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }

  /// A reader from the beginning; standard input has one only.
  func reader() throws -> RecordReader {
    if let copy { return RecordReader(isCSV: isCSV, read: try copy.reader()) }
    guard let path else { return RecordReader(isCSV: isCSV, read: context.streams.readInput) }
    let handle = try FileHandle(forReadingFrom: URL(filePath: path))
    return RecordReader(isCSV: isCSV) { try handle.read(upToCount: 1 << 18) ?? Data() }
  }

  /// The same input, in a temporary file if it could be read only once.
  func repeatable() throws -> ImportInput {
    guard path == nil else { return self }
    let copy = TemporaryFile()
    while true {
      let data = try context.streams.readInput()
      if data.isEmpty { break }
      try copy.write(data)
    }
    return ImportInput(copyOf: self, copy)
  }

  // MARK: Journal

  private struct Journal: Codable {
    var store: UUID
    var type: String?
    /// The lines up to this one are in the store.
    var line: Int
  }

  private var journalURL: URL? {
    guard let path, !context.invocation.has("dry-run") else { return nil }
    return URL(filePath: path + ".import")
  }

  /// The number of the line to begin with.
  ///
  /// - Throws: ``ToolFailure`` where there is no journal to go on from, or one that the caller did not expect.
  func firstLine() throws -> Int {
    if let line = try context.invocation.integer("resume-from", in: 1...Int.max) { return line }
    guard let journalURL else {
      if context.invocation.has("resume") {
        throw UsageError("--resume needs the file: name it with --input.", command: "import")
      }
      return 1
    }
    guard let data = try? Data(contentsOf: journalURL) else {
      if !context.invocation.has("resume") { return 1 }
      throw failure(
        "There is no journal '\(Format.printable(journalURL.lastPathComponent))' to go on from.",
        next: "The last import of the file was complete, or never begun; leave out --resume."
      )
    }
    guard context.invocation.has("resume") else {
      throw failure(
        "An earlier import of the file was interrupted.",
        next:
          "Add --resume to go on with it, or remove '\(Format.printable(journalURL.lastPathComponent))' to "
          + "begin anew."
      )
    }
    guard let journal = try? JSONDecoder().decode(Journal.self, from: data), journal.store == storeID,
      journal.type == typeName
    else {
      throw failure(
        "The journal is of an import into another store, or of another type.",
        next: "Give the same store and type as before, or remove "
          + "'\(Format.printable(journalURL.lastPathComponent))' to begin anew."
      )
    }
    return journal.line + 1
  }

  private func failure(_ happened: String, next: String) -> ToolFailure {
    ToolFailure(.refused, code: "journal", happened, next: next)
  }

  /// Notes that the lines up to one are in the store.
  func note(line: Int) throws {
    guard let journalURL else { return }
    let journal = Journal(store: storeID, type: typeName, line: line)
    try JSONEncoder().encode(journal).write(to: journalURL, options: .atomic)
  }

  /// Removes the journal of an import that is complete.
  func removeJournal() {
    guard let journalURL else { return }
    try? FileManager.default.removeItem(at: journalURL)
  }
}
