import Fief
import Foundation

final class Writer: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(originProperty: "author") var books: LinkingObjects<Book>
}

enum Format: String, PersistableEnum { case print, audio }
enum Condition: Int, PersistableEnum { case new = 1, used }

final class Copy: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var format = Format.print
  @Persisted var condition: Condition?
  @Persisted var state = Condition.used
  @Persisted var formats: List<Format>
  @Persisted var conditions: MutableSet<Condition>
  @Persisted var byShelf: Map<String, Format>
  @Persisted var label: Label?
}

final class Label: EmbeddedObject {
  @Persisted var format = Format.print
}

final class Book: Object {
  @Persisted(primaryKey: true) var isbn = ""
  @Persisted var title = ""
  @Persisted var year = 0
  @Persisted var price: Double?
  @Persisted var added: Date?
  @Persisted var author: Writer?
}

struct LibraryRepository: DatabaseConfigurable, Sendable {
  let schemaName: String? = "library"
  let schemaVersion: UInt64? = 1
  let objectTypes: [Object.Type]? = [Writer.self, Book.self, Copy.self]
  let embeddedObjectTypes: [EmbeddedObject.Type]? = [Label.self]
}

/// A file in a directory that is removed when the process ends.
struct FeedFile {
  private static let directory: URL = {
    atexit { try? FileManager.default.removeItem(at: FeedFile.directory) }
    return FileManager.default.temporaryDirectory.appendingPathComponent("fief-feeds-\(UUID())")
  }()

  let url: URL

  init(_ text: String, _ type: String = "jsonl") throws {
    try FileManager.default.createDirectory(at: Self.directory, withIntermediateDirectories: true)
    url = Self.directory.appendingPathComponent("\(UUID()).\(type)")
    try Data(text.utf8).write(to: url)
  }
}

/// The parts of a text, as a feed that arrives over a network.
struct Parts: AsyncSequence {
  struct Broken: Error {}

  let parts: [ArraySlice<UInt8>]
  var isBroken = false

  init(_ text: String, size: Int, isBroken: Bool = false) {
    let bytes = Array(text.utf8)
    parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<Swift.min($0 + size, bytes.count)] }
    self.isBroken = isBroken
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<ArraySlice<UInt8>>
    let isBroken: Bool

    mutating func next() async throws -> ArraySlice<UInt8>? {
      if let part = rest.popFirst() { return part }
      if isBroken { throw Broken() }
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: parts[...], isBroken: isBroken) }
}
