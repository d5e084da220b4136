import Fief
import Foundation

final class Author: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var name = ""
  @Persisted(originProperty: "author") var books: LinkingObjects<Book>
}

final class Book: Object {
  @Persisted(primaryKey: true) var isbn = ""
  @Persisted var title = ""
  @Persisted var year = 0
  @Persisted var copies = 0
  @Persisted var author: Author?
}

struct LibraryRepository: DatabaseConfigurable, Sendable {
  let schemaName: String? = "library"
  let schemaVersion: UInt64? = 1
  let objectTypes: [Object.Type]? = [Author.self, Book.self]
}
