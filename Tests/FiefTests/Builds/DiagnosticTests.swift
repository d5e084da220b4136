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
    let errors = try BuiltProgram.diagnostics(in: ["Source.swift": source])
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

  /// Code for Realm that has no counterpart, and a part of the message that says what to write.
  private static let ofRealm = [
    ("try realm.write { realm.delete(collar) }", "assign nil to the property of the embedded object"),
    (
      "_ = try await Realm(configuration: .defaultConfiguration, downloadBeforeOpen: .always)",
      "remove downloadBeforeOpen"
    ),
    ("realm.autorefresh = false", "remove the line"),
    ("_ = collar.isInvalidated", "use isInvalidated of the object that owns it"),
    ("_ = HintDog.primaryKey()", "@Persisted(primaryKey: true)"),
    ("_ = RealmOptional<Int>()", "write @Persisted var age: Int?"),
    ("_ = collar.observe { change in print(change) }", "observe the owner: dog.observe(keyPaths:"),
    ("_ = Realm.Notification.refreshRequired", "remove the case"),
    ("_ = LinkingObjects(fromType: HintDog.self, property: \"dogs\")", "write @Persisted(originProperty:"),
  ]

  @Test(arguments: ["5", "6"]) func namesOfRealmThatAreMissingSayWhatToWrite(mode: String) throws {
    var source = """
      import FiefRealm
      final class HintCollar: EmbeddedObject { @Persisted var color = "" }
      final class HintDog: Object { @Persisted(primaryKey: true) var name = "" }

      """
    for (index, (statement, _)) in Self.ofRealm.enumerated() {
      source += "func statement\(index)(realm: Realm, collar: HintCollar) async throws {\n  \(statement)\n}\n"
    }
    let errors = try BuiltProgram.diagnostics(in: ["Source.swift": source], mode: mode)
    for (index, (statement, advice)) in Self.ofRealm.enumerated() {
      let found = errors.filter { $0.line == 5 + index * 3 }.map(\.message)
      #expect(found.count == 1 && found[0].contains(advice), "\(statement): \(found)")
    }
    #expect(errors.count == Self.ofRealm.count)
  }

  /// The quick start of the README as `main.swift`, and with public declarations and more than one task.
  @Test(arguments: ["5", "6"]) func theQuickStartCompilesWithoutWarnings(mode: String) throws {
    let readme = try String(contentsOfFile: BuiltProgram.sources + "/../README.md", encoding: .utf8)
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst().prefix(2).map {
      $0.components(separatedBy: "\n```")[0]
    }
    try #require(blocks.count == 2)
    let program = blocks.joined(separator: "\n\n")
    #expect(try BuiltProgram.diagnostics(in: ["main.swift": program], mode: mode) == [])

    let declarations = blocks[0]
      .replacingOccurrences(of: "final class", with: "public final class")
      .replacingOccurrences(of: "struct ", with: "public struct ")
      .replacingOccurrences(of: "  let ", with: "  public let ")
    let use = """
      import Fief

      let shared = LibraryRepository()

      @MainActor func count() async throws {
        let library = LibraryRepository()
        Task.detached { try await library.save(entity: Book(), update: true) }
        async let books = Task { try library.count(Book.self) }.value
        try await shared.write { _ in }
        _ = try await books
      }
      """
    let files = ["Model.swift": declarations, "Use.swift": use]
    #expect(try BuiltProgram.diagnostics(in: files, mode: mode) == [])
  }
}
