import Foundation
import Testing

/// The compiler's messages for misspelled names of properties.
struct DiagnosticTests {
  private static let model = """
    import Fief
    import Foundation

    final class Author: Object {
      @Persisted(primaryKey: true) var id: UUID
      @Persisted var name = ""
      @Persisted(originProperty: "author") var books: LinkingObjects<Book>
    }

    final class Shelf: EmbeddedObject {
      @Persisted var room = ""
    }

    final class Book: Object {
      @Persisted(primaryKey: true) var isbn = ""
      @Persisted var year = 0
      @Persisted var author: Author?
      @Persisted var readers: List<Author>
      @Persisted var shelf: Shelf?
      @Persisted var shelves: List<Shelf>
    }

    """

  /// Statements with the misspelled name `naem`.
  private static let misspelled = [
    "_ = try repository.objects(Book.self).where { $0.naem > 1900 }",
    "_ = try repository.objects(Book.self).where { $0.year > 1900 && $0.author.naem == \"x\" }.all()",
    "_ = try repository.objects(Author.self).where { $0.naem.contains(\"x\") }.sorted(byKeyPath: \\.name).all()",
    "_ = try repository.objects(Book.self).where { $0.readers.naem == \"x\" }",
    "_ = try repository.objects(Book.self).where { $0.shelf.naem == \"x\" }",
    "_ = try repository.objects(Book.self).where { $0.shelves.naem == \"x\" }",
    "_ = try repository.objects(Author.self).where { $0.books.author.naem == \"x\" }",
    "_ = store.objects(Book.self).where { $0.naem == 3 }",
    "_ = try repository.read { try $0.objects(Book.self).where { $0.naem == 3 }.all().count }",
    "_ = try repository.objects(Book.self).filter(#Predicate<Book> { $0.naem > 1900 })",
    "_ = try repository.objects(Book.self).sorted(byKeyPath: \\.naem)",
    "_ = try repository.objects(Book.self).sorted(byKeyPath: \\.author?.naem)",
    "_ = try repository.objects(Book.self).sorted(by: \\.naem, ascending: false)",
    "_ = try repository.objects(Book.self).sorted(by: \\Book.naem)",
    "_ = author.books.where { $0.naem == 3 }",
    "_ = author.books.sorted(byKeyPath: \\.naem)",
    "_ = book.readers.where { $0.naem == 3 }",
    "_ = book.readers.sorted(byKeyPath: \\.naem)",
    "_ = book.shelves.where { $0.naem == 3 }",
    "_ = book.shelves.sorted(byKeyPath: \\.naem)",
  ]

  @Test func everyMessageNamesTheMisspelledProperty() throws {
    var source = Self.model
    for (index, statement) in Self.misspelled.enumerated() {
      source += """
        func statement\(index)(repository: some DatabaseConfigurable, store: Store, author: Author, book: Book) throws {
          \(statement)
        }

        """
    }
    let errors = try BuiltProgram.errors(in: source)
    for (index, statement) in Self.misspelled.enumerated() {
      let line = Self.model.split(separator: "\n", omittingEmptySubsequences: false).count + index * 3 + 1
      let found = errors.filter { $0.line == line }.map(\.message)
      #expect(found.count == 1, "\(statement): \(found)")
      #expect(
        found.contains { $0.contains("has no member 'naem'") || $0.contains("has no dynamic member 'naem'") },
        "\(statement): \(found)"
      )
    }
    #expect(errors.count == Self.misspelled.count)
  }
}
