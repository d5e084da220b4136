import Fief
import Foundation
import Testing

/// The history in the article about migrations: it compiles, runs, and is what the article shows.
@Suite struct MigratingArticleTests {
  /// Version 1: the name of a book's author is a text.
  private enum Version1 {
    final class Book: Object {
      @Persisted(primaryKey: true) var isbn = ""
      @Persisted var title = ""
      @Persisted var year: Int16 = 0
      @Persisted var author = ""
    }
  }

  private struct OldLibrary: DatabaseConfigurable {
    let directory: String?
    let schemaName: String? = "library"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Version1.Book.self]
    let migrationBlock: MigrationBlock? = nil
  }

  /// A repository with the classes that README.md declares.
  private struct NewLibrary: DatabaseConfigurable {
    let directory: String?
    let schemaName: String? = "library"
    let schemaVersion: UInt64? = libraryPlan.version
    let migrationPlan: MigrationPlan? = libraryPlan
    let objectTypes: [Object.Type]? = [Author.self, Book.self]
  }

  @Test func theHistoryRuns() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("fief-article-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let old = OldLibrary(directory: directory)
    try old.store().write { transaction in
      let books = [
        ("9780547773742", "A Wizard of Earthsea", 1968, "Ursula K. Le Guin"),
        ("9780441478125", "The Left Hand of Darkness", 1969, "Ursula K. Le Guin"),
        ("9780000000002", "Beowulf", 1000, ""),
      ]
      for (isbn, title, year, author) in books {
        let value: [String: Any] = ["isbn": isbn, "title": title, "year": year, "author": author]
        try transaction.create(Version1.Book.self, value: value)
      }
    }
    old.close()

    let new = NewLibrary(directory: directory)
    defer { new.close() }
    try new.read { snapshot in
      let author = try #require(snapshot.objects(Author.self).first)
      #expect(try snapshot.count(Author.self) == 1)
      #expect(author.name == "Ursula K. Le Guin")
      #expect(author.books.map(\.year).sorted() == [1968, 1969])
      let beowulf = try snapshot.object(ofType: Book.self, forPrimaryKey: "9780000000002")
      #expect(beowulf?.author == nil)
      #expect(beowulf?.year == 1000)
    }
    #expect(try new.check().problems == [])
  }

  @Test func theArticleShowsIt() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let history = try String(contentsOf: here.appendingPathComponent("LibraryHistory.swift"), encoding: .utf8)
    #expect(try ArticleCode.article("Migrating").contains("```swift\n\(history)```\n"))
  }
}
