import Fief
import Foundation

enum LibraryVersion2: MigrationStep {
  static let version: UInt64 = 2
  static let name = "authors"
  static let description = "The name of a book's author becomes an object of its own."

  static func migrate(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Book") { old, new in
      guard let name = old?["author"] as? String, !name.isEmpty else { return }
      let known = try migration.object(ofType: "Author", forPrimaryKey: name)
      new?["author"] = known ?? migration.create("Author", value: ["name": name])
    }
  }

  // The classes of this version, as they were. Version 3 has changed the key of authors.
  static var objectTypes: [Object.Type]? { [Author.self, Book.self] }

  final class Author: Object {
    @Persisted(primaryKey: true) var name = ""
  }

  final class Book: Object {
    @Persisted(primaryKey: true) var isbn = ""
    @Persisted var title = ""
    @Persisted var year = 0
    @Persisted var author: Author?
  }
}

enum LibraryVersion3: MigrationStep {
  static let version: UInt64 = 3
  static let name = "keys of authors"
  static let description = "Authors may have the same name: each gets an id, and the books' links follow."
}

let libraryPlan = MigrationPlan([LibraryVersion2.self, LibraryVersion3.self])
