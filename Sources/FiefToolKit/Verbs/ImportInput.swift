import Fief
import FiefConsole
import FiefImport
import Foundation

/// The input of an import.
struct ImportInput {
  /// The path of the file, or `nil` for standard input.
  let path: String?
  let isCSV: Bool
  private let context: ToolContext
  /// The temporary file with a copy of standard input. Keeping it prevents its removal.
  private var copy: TemporaryFile?
  /// An input that can be read only once: standard input, or a file that is not regular, such as a pipe.
  private let stream: EncryptedFile.Reader?

  init(_ context: ToolContext) throws {
    let given = context.invocation["input"]
    let path = given == "-" ? nil : given
    self.path = path
    self.context = context
    let format = context.invocation["format"] ?? (path?.hasSuffix(".csv") == true ? "csv" : "jsonl")
    isCSV = format == "csv"
    guard let path else {
      stream = EncryptedFile.Reader(key: { try Self.key(context, "The input") }, context.streams.readInput)
      return
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw ToolFailure.missing(file: path)
    }
    guard !isDirectory.boolValue else {
      throw ToolFailure(
        .refused,
        code: "notAFile",
        "'\(Format.printable(path))' is a directory.",
        next: "Name a file in it with --input."
      )
    }
    let kind = try? URL(filePath: path).resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
    stream = kind == true ? nil : try Self.opened(path, context)
  }

  private init(copyOf other: ImportInput, _ copy: TemporaryFile) {
    path = nil
    self.copy = copy
    isCSV = other.isCSV
    context = other.context
    stream = nil
  }

  /// Returns whether the input is an encrypted export.
  func isEncrypted() throws -> Bool { try (stream ?? Self.opened(path ?? "", context)).isEncrypted() }

  /// Returns the key of an encrypted input.
  private static func key(_ context: ToolContext, _ name: String) throws -> StoreEncryption {
    if let key = try context.key() ?? context.key(askingFor: name) { return key }
    throw ToolFailure(
      .refused,
      code: FiefError.Code.encrypted.rawValue,
      "The input is encrypted, but no key was given.",
      next:
        "Specify its key file with --key-file, or the environment variable of its passphrase with --key-env."
    )
  }

  /// Opens the file at its beginning.
  private static func opened(_ path: String, _ context: ToolContext) throws -> EncryptedFile.Reader {
    let handle = try FileHandle(forReadingFrom: URL(filePath: path))
    return EncryptedFile.Reader(key: { try key(context, "The file \(path)") }) {
      try handle.read(upToCount: 1 << 18) ?? Data()
    }
  }

  /// The size of the file in bytes, or `nil` if it is unknown.
  var size: Int? {
    guard let path else { return nil }
    return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }

  /// Returns a reader from the beginning. For an input that can be read only once, call this only once.
  func reader() throws -> RecordReader {
    if let copy { return RecordReader(isCSV: isCSV, read: try copy.reader()) }
    let reader = try stream ?? Self.opened(path ?? "", context)
    return RecordReader(isCSV: isCSV, read: reader.next)
  }

  /// Returns the same input, copied to a temporary file if it can be read only once.
  func repeatable() throws -> ImportInput {
    guard let stream else { return self }
    let copy = TemporaryFile()
    while true {
      let data = try stream.next()
      if data.isEmpty { break }
      try copy.write(data)
    }
    return ImportInput(copyOf: self, copy)
  }
}
