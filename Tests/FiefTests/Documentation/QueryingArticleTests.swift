import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article about queries: it compiles, runs, and is what the article shows.
@Suite(.freshStores()) struct QueryingArticleTests {
  private func withLibrary(_ body: (LibraryRepository) throws -> Void) throws {
    let library = LibraryRepository()
    try library.write { transaction in
      let authors = ["Ursula K. Le Guin", "Tove Jansson"].map { Author(value: ["name": $0]) }
      for number in 0..<60 {
        let book = Book()
        book.isbn = "\(1000 + number)"
        book.title = ["Always Coming Home", "Moominland", "The Dispossessed"][number % 3] + " \(number)"
        book.year = 1945 + number % 20
        book.copies = number % 4
        book.author = number % 5 == 0 ? nil : authors[number % 2]
        try transaction.add(book)
      }
    }
    try body(library)
    #expect(try library.check().problems == [])
  }

  @Test func conditionsRun() throws {
    try withLibrary { library in
      // Documentation: begin conditions
      let books = try library.objects(Book.self)

      // Realm's form: operators and functions of properties.
      let early = books.where { $0.year < 1950 && $0.title.starts(with: "A") }

      // Foundation's form.
      let same = books.filter(#Predicate<Book> { $0.year < 1950 && $0.title.starts(with: "A") })

      // Text, with arguments that are never parts of it.
      let again = books.filter("year < %@ AND title BEGINSWITH %@", 1950, "A")
      // Documentation: end conditions
      let expected = Array(books).filter { $0.year < 1950 && $0.title.hasPrefix("A") }.map(\.isbn)
      #expect(!expected.isEmpty && early.map(\.isbn) == expected)
      #expect(same.map(\.isbn) == expected && again.map(\.isbn) == expected)
    }
  }

  @Test func bulkChangesRun() throws {
    try withLibrary { library in
      let books = try library.objects(Book.self).all()
      // Documentation: begin bulk
      let reprinted = try library.objects(Book.self).where { $0.year < 1950 }.update {
        $0.increment(\.copies, by: 10)
        $0.set(\.year, 1990)
      }
      let gone = try library.objects(Book.self).where { $0.copies == 0 }.delete()
      // Documentation: end bulk
      #expect(reprinted == books.count { $0.year < 1950 })
      #expect(gone == books.count { $0.year >= 1950 && $0.copies == 0 })
      #expect(try library.objects(Book.self).where { $0.year == 1990 && $0.copies >= 10 }.count == reprinted)
    }
  }

  @Test func ordersRun() throws {
    try withLibrary { library in
      // Documentation: begin order
      let books = try library.objects(Book.self)
      let newest = books.sorted(byKeyPath: \.year, ascending: false).limit(10)
      let byAuthor = books.sorted(by: [
        PropertyOrder(keyPath: "author.name", nils: .last),
        PropertyOrder(keyPath: "title", collation: .caseInsensitive),
      ])
      let oneOfEachYear = books.sorted(byKeyPath: \.title).distinct(by: \.year)
      // Documentation: end order
      #expect(newest.map(\.year) == books.map(\.year).sorted(by: >).prefix(10).map { $0 })
      #expect(byAuthor.first?.author?.name == "Tove Jansson" && byAuthor.last?.author == nil)
      #expect(oneOfEachYear.count == 20)
    }
  }

  @Test func pagesRun() throws {
    try withLibrary { library in
      var shown: [String] = []
      func show(_ books: [Book]) { shown += books.map(\.isbn) }
      // Documentation: begin pages
      let books = try library.objects(Book.self).sorted(byKeyPath: \.year)
      var cursor: QueryCursor?
      repeat {
        let page = try books.page(20, after: cursor)
        show(page.objects)
        cursor = page.hasMore ? page.end : nil
      } while cursor != nil
      // Documentation: end pages
      #expect(shown == books.map(\.isbn))
    }
  }

  @Test func aggregatesRun() throws {
    try withLibrary { library in
      // Documentation: begin aggregates
      let books = try library.objects(Book.self)
      let copies = try books.where { $0.author.name == "Tove Jansson" }.fetchSum(of: \.copies)
      let first = try books.fetchMin(of: \.year)

      for (title, year) in try books.sorted(byKeyPath: \.title).select(\.title, \.year).all()
      where year == first {
        print(title, year)
      }
      for section in try books.sorted(byKeyPath: \.title).sectioned(by: \.year).all() {
        print(section.key, section.count, try section.objects.fetchFirst()?.title ?? "")
      }
      let popular = try books.grouped(by: \.author?.name)
        .aggregate(.count, .sum(\.copies))
        .filter { $0.values.1 > 10 }
        .sorted { $0.values.1 > $1.values.1 }
      // Documentation: end aggregates
      #expect(
        copies == Array(books).filter { $0.author?.name == "Tove Jansson" }.reduce(0) { $0 + $1.copies }
      )
      #expect(first == 1945)
      #expect(popular.reduce(0) { $0 + $1.values.0 } <= 60 && !popular.isEmpty)
    }
  }

  @Test func aggregatesThroughCollectionsRun() throws {
    try withLibrary { library in
      // Documentation: begin elements
      let authors = try library.objects(Author.self).where { $0.books.year < 1960 }
      let copies = try authors.fetchSum(of: \.books.copies)
      let latest: Int? = try authors.fetchMax(ofProperty: "books.year")
      let count = try authors.fetchCount(of: \.books)
      let most = try authors.fetchMax(of: \.books.copies.sum)
      let byName = try authors.grouped(by: \.name).aggregate(.count(\.books), .sum(\.books.copies))
      let rows = try authors.select(["name", "books.@count", "books.@sum.copies"]).all()
      // Documentation: end elements
      let sums = authors.map { author in author.books.reduce(0) { $0 + $1.copies } }
      #expect(sums.count == 2 && copies == sums.reduce(0, +) && most == sums.max())
      #expect(latest == 1964 && count == 48 && rows.count == 2)
      #expect(byName.map(\.key) == ["Tove Jansson", "Ursula K. Le Guin"])
      #expect(byName.reduce(0) { $0 + $1.values.1 } == copies)
    }
  }

  @Test(arguments: ["conditions", "order", "pages", "aggregates", "elements"])
  func theArticleShowsIt(part: String) throws {
    let code = try ArticleCode.part(part, of: #filePath)
    #expect(try ArticleCode.article("Querying").contains("```swift\n\(code)\n```\n"))
  }
}
