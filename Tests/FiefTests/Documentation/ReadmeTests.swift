import Fief
import Foundation
import Testing

/// The code of README.md and of the documentation's first article: it compiles, runs, and is the same.
@Suite struct ReadmeTests {
  private func quickStart() async throws {
    // Documentation: begin use
    func run() async throws {
      let library = LibraryRepository()
      // Opens the store; without it the first use does.
      try library.open()

      let book = Book()
      book.isbn = "9780547773742"
      book.title = "A Wizard of Earthsea"
      book.year = 1968
      book.author = Author(value: ["name": "Ursula K. Le Guin"])

      // Saves the author too. When it returns, the change is on the disk.
      try await library.save(entity: book, update: true)

      // All of a write is committed together. Inside, assigning a property is the change.
      try await library.write { transaction in
        let book = try transaction.object(ofType: Book.self, forPrimaryKey: "9780547773742")
        book?.copies += 2
      }

      // Results are looked up when they are used. A link is read when it is touched.
      let old = try library.objects(Book.self)
        .filter(#Predicate<Book> { $0.year < 1970 })
        .sorted(byKeyPath: \.title)
      for book in try old.all() { print(book.title, book.copies, book.author?.name ?? "unknown") }

      // A call with a completion handler does not wait for the disk. The handler is called later, where the
      // caller is isolated.
      library.delete(entity: book) { result in
        if case .failure(let error) = result { print(error) }
      }

      // Commits what still waits. A program that ends without it loses calls whose handler was not called.
      library.close()
    }

    try await run()
    // Documentation: end use
  }

  @Test func theQuickStartRuns() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("fief-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let manager = StoreManager(directory: directory.path, repositories: [LibraryRepository()])
    defer { manager.close() }

    try await quickStart()

    let library = LibraryRepository()
    // The deletion with a handler comes before it in the queue.
    try await library.write { _ in }
    #expect(FileManager.default.fileExists(atPath: directory.path + "/library/data.mdb"))
    #expect(try library.count(Book.self) == 0)
    let author = try #require(library.queryAll(returningClass: Author.self)?.first)
    #expect(author.name == "Ursula K. Le Guin")
    #expect(author.books.isEmpty)
    #expect(try library.check().problems == [])
  }

  @Test(arguments: ["README.md", "Sources/Fief/Fief.docc/GettingStarted.md"])
  func theCodeOfADocumentIsTheCodeThatRuns(document: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../..").standardized
    let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let declarations = try String(contentsOf: tests.appendingPathComponent("Library.swift"), encoding: .utf8)
    let use = try #require(Self.use(in: try String(contentsOfFile: #filePath, encoding: .utf8)))
    #expect(text.contains("```swift\n\(declarations)```\n"), "Library.swift in \(document)")
    #expect(text.contains("```swift\n\(use)\n```\n"), "the quick start of ReadmeTests.swift in \(document)")
  }

  /// The marked lines, without the indentation of the mark.
  private static func use(in source: String) -> String? {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    guard let begin = lines.firstIndex(where: { $0.hasSuffix("// Documentation: begin use") }),
      let end = lines.firstIndex(where: { $0.hasSuffix("// Documentation: end use") }), begin + 1 < end
    else { return nil }
    let indentation = lines[begin].prefix { $0 == " " }.count
    return lines[(begin + 1)..<end].map { $0.dropFirst(indentation) }.joined(separator: "\n")
  }
}
