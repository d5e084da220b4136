import Fief
import FiefConsole
import Foundation

/// Finds the store to which a word of the command line refers, and explains why any other path is not a
/// store.
enum StorePath {
  /// Returns the directory of a store that is given by its directory or its data file.
  ///
  /// - Throws: ``ToolFailure`` that describes the path.
  static func directory(of given: String) throws -> String {
    let given = given.isEmpty ? "." : given
    let url = URL(filePath: given)
    let path = url.path(percentEncoded: false)
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw access(path, F_OK) != 0 && errno == EACCES ? noAccess(given) : nothing(given)
    }
    guard isDirectory.boolValue else {
      if url.lastPathComponent == "data.mdb" {
        try checkContents(of: url, given)
        return url.deletingLastPathComponent().path(percentEncoded: false)
      }
      throw ToolFailure(
        .refused,
        code: "notAStore",
        "'\(shown(given))' is \(kind(of: url)), not a store: a store is a directory with a file data.mdb.",
        next: "Give the store's directory.",
        isChanged: nil
      )
    }
    let data = url.appending(path: "data.mdb")
    if FileManager.default.fileExists(atPath: data.path(percentEncoded: false)) {
      try checkContents(of: data, given)
    } else if FileManager.default.isReadableFile(atPath: path), !hasManifest(url) {
      throw notAStore(url, given)
    }
    return path
  }

  private static func hasManifest(_ directory: URL) -> Bool {
    let manifest = directory.appending(path: "store.manifest").path(percentEncoded: false)
    return FileManager.default.fileExists(atPath: manifest)
  }

  private static func shown(_ path: String) -> String { Format.printable(path) }

  private static func nothing(_ given: String) -> ToolFailure {
    ToolFailure(
      .notFound,
      code: "notFound",
      "'\(shown(given))' does not exist.",
      next: "Check the path; a store is a directory with a file data.mdb.",
      isChanged: nil
    )
  }

  private static func noAccess(_ given: String) -> ToolFailure {
    ToolFailure(
      .refused,
      code: FiefError.Code.cannotOpen.rawValue,
      "The system does not allow this user to read '\(shown(given))'.",
      next: "Run this as the user who owns the directory.",
      isChanged: nil
    )
  }

  private static func notAStore(_ directory: URL, _ given: String) -> ToolFailure {
    let path = directory.path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let stores = names.sorted().filter {
      let data = directory.appending(path: $0).appending(path: "data.mdb").path(percentEncoded: false)
      return FileManager.default.fileExists(atPath: data)
    }
    guard let first = stores.first else {
      return ToolFailure(
        .notFound,
        code: "notFound",
        "'\(shown(given))' is not a store: the directory has no file data.mdb.",
        next: "Check the path.",
        isChanged: nil
      )
    }
    let example = given.hasSuffix("/") ? given + first : given + "/" + first
    return ToolFailure(
      .notFound,
      code: "notFound",
      "'\(shown(given))' is not a store, but contains stores: "
        + stores.map { Format.printable($0) }.joined(separator: ", ") + ".",
      next: "Give the directory of a store, such as '\(shown(example))'.",
      isChanged: nil
    )
  }

  /// Throws a helpful error. LMDB itself reports only that the file is not an LMDB file.
  private static func checkContents(of data: URL, _ given: String) throws {
    guard let head = head(of: data), !isLMDB(head), !head.isEmpty else { return }
    throw ToolFailure(
      .damaged,
      code: "notAStore",
      "The file data.mdb in '\(shown(given))' is \(kind(of: data)), not a store.",
      next: "Check the path. If a store was there, keep the directory as it is and restore a "
        + "backup.",
      isChanged: nil
    )
  }

  private static func head(of file: URL) -> [UInt8]? {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 512)).map { [UInt8]($0) }
  }

  /// Whether a file begins with the magic number of a meta page, in either byte order.
  private static func isLMDB(_ head: [UInt8]) -> Bool {
    guard head.count >= 20 else { return false }
    let magic: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]
    return Array(head[16..<20]) == magic || Array(head[16..<20].reversed()) == magic
  }

  private static func kind(of file: URL) -> String {
    guard let head = head(of: file) else { return "a file that cannot be read" }
    if head.isEmpty { return "an empty file" }
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return "an SQLite database" }
    if isLMDB(head) { return "an LMDB file" }
    if head.count > 24, Array(head[16...].prefix(6)) == Array("T-DB\0\0".utf8) { return "a Realm file" }
    let isText = head.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    return isText && String(validating: head.prefix(400), as: UTF8.self) != nil
      ? "a text file" : "a binary file"
  }
}
