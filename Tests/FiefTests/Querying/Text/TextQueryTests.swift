import Fief
import Foundation
import Testing

@testable import FiefCore

/// Texts asked of stores, with classes and without them.
@Suite("Text form: queries", .timeLimit(.minutes(20))) struct TextQueryTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func library(_ inMemory: Bool) throws -> WriteRepository {
    let repository = inMemory ? WriteRepository.inMemory() : WriteRepository.onDisk(directory)
    let authors = ["Ann", "Bob", "Cat"].map { WriteAuthor($0) }
    let books = (0..<30).map { number in
      let book = WriteBook("\(10 + number)", title: "Title \(number % 5)", pages: number)
      if number % 4 < 3 {
        book.author = authors[number % 4]
        authors[number % 4].books.append(book)
      }
      if number % 3 == 0 {
        let cover = WriteCover()
        cover.color = number % 2 == 0 ? "red" : "blue"
        book.cover = cover
      }
      return book
    }
    try repository.saveNow(books + authors)
    return repository
  }

  /// The texts and the books that they find, by the numbers of the books.
  private static let queries: [(text: String, arguments: [any Sendable], expected: @Sendable (Int) -> Bool)] =
    [
      ("", [], { _ in true }),
      ("pages > 3 AND title BEGINSWITH[c] 'TITLE 1'", [], { $0 > 3 && $0 % 5 == 1 }),
      ("pages > %@ AND pages <= %@", [5, 9], { $0 > 5 && $0 <= 9 }),
      ("pages IN %@", [[1, 2, 99]], { [1, 2].contains($0) }),
      ("pages BETWEEN {3, 5} OR %K == 'Title 4'", ["title"], { (3...5).contains($0) || $0 % 5 == 4 }),
      ("author.name == 'Ann'", [], { $0 % 4 == 0 }),
      ("author == nil", [], { $0 % 4 == 3 }),
      ("author.name != $0", ["Bob"], { $0 % 4 != 1 }),
      ("NOT cover.color == 'red' AND cover != nil", [], { $0 % 3 == 0 && $0 % 2 == 1 }),
      ("pages % 7 == 0 && pages * 2 - 1 > 20", [], { $0 % 7 == 0 && $0 * 2 - 1 > 20 }),
      ("author.books.@count == 7", [], { $0 % 4 == 2 }),
      ("ANY author.books.pages == pages", [], { $0 % 4 < 3 }),
      ("SUBQUERY(author.books, $b, $b.pages > pages).@count == 0", [], { $0 % 4 == 3 || $0 >= 26 }),
      ("title.length == 7 AND isbn ENDSWITH '5'", [], { ($0 + 10) % 10 == 5 }),
      ("@links.WriteAuthor.books.name == 'Bob'", [], { $0 % 4 == 1 }),
      ("@links.WriteAuthor.books.@count == 0", [], { $0 % 4 == 3 }),
      ("FALSEPREDICATE", [], { _ in false }),
    ]

  @Test("Texts find what plain conditions find", arguments: [true, false]) func found(inMemory: Bool) throws {
    let repository = try library(inMemory)
    defer { repository.closeChecked() }
    let store = repository.store()
    let path = try store.core().directory
    let dynamic = try DynamicStore(directory: path)
    defer { dynamic.close() }
    for query in Self.queries {
      let expected = (0..<30).filter(query.expected).map { "\(10 + $0)" }
      let results = try store.objects(WriteBook.self).query(query.text, arguments: query.arguments)
      #expect(try results.all().map(\.isbn) == expected, "\(query.text)")
      #expect(try results.fetchCount() == expected.count, "\(query.text)")
      let arguments = try query.arguments.map { try QueryArgument($0) }
      try dynamic.read { snapshot in
        let found = try snapshot.query("WriteBook", query.text, arguments: arguments)
        #expect(try found.objects().map { $0["isbn"] as? String } == expected, "\(query.text)")
        #expect(try found.count() == expected.count, "\(query.text)")
        #expect(try found.first()?["isbn"] as? String == expected.first, "\(query.text)")
      }
    }
    let found = store.objects(WriteBook.self).filter("pages > %@", 25).filter("pages < 28")
    #expect(try found.all().map(\.pages) == [26, 27])
  }

  @Test("Order, distinct, offset and limit of a text", arguments: [true, false])
  func clauses(inMemory: Bool) throws {
    let repository = try library(inMemory)
    defer { repository.closeChecked() }
    let books = repository.store().objects(WriteBook.self)
    func pages(_ text: String) throws -> [Int] { try books.query(text).all().map(\.pages) }
    #expect(try pages("SORT(pages DESC) LIMIT(3)") == [29, 28, 27])
    #expect(try pages("SORT(title, pages DESC) LIMIT(2)") == [25, 20])
    #expect(try pages("SORT(pages) DISTINCT(title)") == [0, 1, 2, 3, 4])
    #expect(try pages("pages > 3 SORT(pages) OFFSET(2) LIMIT(2)") == [6, 7])
    #expect(try pages("SORT(pages) LAST(2)") == [28, 29])
    #expect(try pages("pages < 6 SORT(author.name DESC NULLS LAST, pages)") == [2, 1, 5, 0, 4, 3])
    #expect(try pages("pages < 6 SORT(author.name ASC, pages)") == [3, 0, 4, 1, 5, 2])
  }

  @Test("Objects and links are arguments", arguments: [true, false]) func links(inMemory: Bool) throws {
    let repository = try library(inMemory)
    defer { repository.closeChecked() }
    let store = repository.store()
    let ann = try #require(try store.objects(WriteAuthor.self).query("name == 'Ann'").all().first)
    #expect(try store.objects(WriteBook.self).query("author == %@", arguments: [ann]).fetchCount() == 8)
    let book = try #require(try store.objects(WriteBook.self).query("isbn == '10'").all().first)
    #expect(
      try store.objects(WriteAuthor.self).query("%@ IN books", arguments: [book]).all().map(\.name) == ["Ann"]
    )
    #expect(try store.objects(WriteAuthor.self).query("books == '11'").all().map(\.name) == ["Bob"])
    let dynamic = try DynamicStore(directory: try store.core().directory)
    defer { dynamic.close() }
    try dynamic.read { snapshot in
      let author = try #require(try snapshot.query("WriteAuthor", "name == 'Ann'").first())
      #expect(try snapshot.query("WriteBook", "author == %@", author).count() == 8)
      let link = try #require(
        try snapshot.query("WriteBook", "pages == 1").first()?["author"] as? DynamicLink
      )
      #expect(try snapshot.query("WriteBook", "author == $0 OR author == $1", link, author).count() == 16)
      // A plan is that of what is asked for.
      let titles = try snapshot.query("WriteBook", "title == 'Title 1' SORT(pages)")
      #expect(try titles.explain().order == .sorted && !titles.explain().isIndexOnly)
      #expect(try titles.explain(.count).isIndexOnly)
      #expect(try snapshot.query("WriteBook").explain(.max("title")).isIndexOnly)
      #expect(throws: FiefError.self) { try titles.explain(.sum("title")) }
    }
  }

  private static func uses(of books: Results<WriteBook>) -> [() throws -> Any?] {
    [
      { try books.fetchCount() }, { try books.limit(0).fetchCount() }, { try books.limit(3).fetchCount() },
      { try books.fetchExists() }, { try books.limit(0).fetchExists() }, { try books.fetchFirst() },
      { try books.limit(2).fetchObject(at: 2) }, { try books.fetchLast() },
      { try books.limit(toLast: 0).fetchLast() }, { try books.fetchSum(of: \.pages) },
      { try books.fetchMax(of: \.pages) }, { try books.grouped(by: \.title).counts() },
      { try books.page(3) }, { try books.select(\.title).all() }, { try books.explain() },
    ]
  }

  @Test("An error is thrown at once, or by every use, and goes to the event handler") func errors() throws {
    let repository = try library(true)
    defer { repository.closeChecked() }
    let books = repository.store().objects(WriteBook.self)
    for (text, code) in [
      ("pages >", FiefError.Code.malformedQuery), ("page > 3", .unknownProperty),
      ("title > 3", .invalidQuery),
      ("SORT(author)", .invalidQuery), ("author.books.pages.@sum > 3", .invalidQuery),
    ] {
      func thrown(_ body: () throws -> Void) -> FiefError.Code? {
        do { try body() } catch { return (error as? FiefError)?.code }
        return nil
      }
      #expect(thrown { _ = try books.query(text) } == code, "\(text)")
      let failing = books.filter(text)
      #expect(thrown { _ = try failing.all() } == code, "\(text)")
      #expect(failing.first == nil && Array(failing).isEmpty, "\(text)")
      // The errors come also where the order does not matter, or no row is wanted.
      for (number, body) in Self.uses(of: failing).enumerated() {
        #expect(thrown { _ = try body() } == code, "\(text): use \(number)")
      }
      #expect(failing.count == 0 && failing.isEmpty, "\(text)")
      #expect(thrown { _ = try failing.query("pages > 3") } == code, "\(text)")
      let dynamic = try DynamicStore(directory: try repository.store().core().directory)
      defer { dynamic.close() }
      #expect(thrown { try dynamic.read { _ = try $0.query("WriteBook", text) } } == code, "\(text)")
      #expect(thrown { try dynamic.read { _ = try $0.query("WriteBooks", text) } } == .unknownType)
      #expect(thrown { try dynamic.read { _ = try $0.query("WriteCover", text) } } == .invalidValue)
    }
  }

  @Test("A query in a write sees what was written, and its objects may be deleted meanwhile") func inWrite()
    throws
  {
    let repository = try library(false)
    repository.closeChecked()
    let dynamic = try DynamicStore(directory: directory.path + "/books", isReadOnly: false)
    defer { dynamic.close() }
    try dynamic.write { transaction in
      try transaction.put("WriteBook", ["isbn": "99", "title": "Title 0", "pages": 1000])
      let long = try transaction.query("WriteBook", "pages >= 28 SORT(pages DESC)")
      #expect(try long.objects().map { $0["pages"] as? Int } == [1000, 29, 28])
      var keys: [ObjectKey] = []
      try transaction.query("WriteBook", "title == 'Title 0'").forEach { book in
        guard let key = book.key else { return }
        keys.append(key)
        try transaction.delete("WriteBook", forKey: key)
      }
      #expect(keys.count == 7)
      #expect(try transaction.query("WriteBook", "title == 'Title 0'").count() == 0)
    }
    #expect(try dynamic.check().problems == [])
  }
}
