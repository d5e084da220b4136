import Fief
import Foundation

final class WriteBook: Object {
  @Persisted(primaryKey: true) var isbn: String
  @Persisted(indexed: true) var title: String
  @Persisted var pages = 0
  @Persisted var author: WriteAuthor?
  @Persisted var cover: WriteCover?
}

/// No primary key.
final class WriteAuthor: Object {
  @Persisted(indexed: true) var name: String
  @Persisted var books: List<WriteBook>
}

final class WriteCover: EmbeddedObject {
  @Persisted var color: String
}

struct WriteRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? = "books"
  var storeOptions = StoreOptions()

  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [WriteBook.self, WriteAuthor.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [WriteCover.self] }
  var migrationBlock: MigrationBlock? { nil }

  /// A store in memory of the test's own.
  static func inMemory() -> WriteRepository {
    WriteRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString))
  }

  static func onDisk(_ directory: TemporaryDirectory) -> WriteRepository {
    WriteRepository(realmMemoryType: .inStorage, directory: directory.path)
  }

  func saveNow(_ objects: [Object], _ policy: UpdatePolicy = .error) throws {
    try saveAndWait(entities: objects, update: policy)
  }

  func deleteNow(_ objects: [Object]) throws {
    try deleteAndWait(entities: objects)
  }

  func book(_ isbn: String) -> WriteBook? { object(ofType: WriteBook.self, forPrimaryKey: isbn) }

  var isbns: [String] { queryAll(returningClass: WriteBook.self)?.map(\.isbn) ?? [] }
  var authors: [String] { queryAll(returningClass: WriteAuthor.self)?.map(\.name).sorted() ?? [] }
}

extension WriteBook {
  convenience init(_ isbn: String, title: String = "", pages: Int = 0) {
    self.init()
    self.isbn = isbn
    self.title = title
    self.pages = pages
  }
}

extension WriteAuthor {
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
