import Fief
import Foundation
import Testing

@testable import FiefCore

/// The objects that `queryAll`, `query` and `Results` find, and their order, compared with arrays.
struct ResultsTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A store with forty books of three authors and of none.
  private func library(_ inMemory: Bool) throws -> WriteRepository {
    let repository = inMemory ? WriteRepository.inMemory() : WriteRepository.onDisk(directory)
    let authors = ["Ann", "Bob", "Cat"].map { WriteAuthor($0) }
    try repository.saveNow(
      (0..<40).map { number in
        let book = WriteBook("\(10 + number)", title: "title \(number * 7 % 5)", pages: number * 11 % 9 - 4)
        if number % 4 < 3 { book.author = authors[number % 4] }
        return book
      }
    )
    return repository
  }

  /// All books in the order of their keys, to compare with.
  private func rows(_ repository: WriteRepository) throws -> [WriteBook] {
    let books = try repository.store().objects(WriteBook.self).all()
    try #require(books.map(\.isbn) == (10..<50).map { "\($0)" })
    return books
  }

  @Test(arguments: [true, false]) func queryObeysThePredicateAndTheOrder(inMemory: Bool) throws {
    let repository = try library(inMemory)
    defer { repository.closeChecked() }
    let rows = try rows(repository)
    let large = #Predicate<WriteBook> { $0.pages > -2 && $0.title != "title 3" }
    let expected = rows.filter { $0.pages > -2 && $0.title != "title 3" }
    try #require(expected.count > 10 && expected.count < 35)
    func found(_ predicate: Predicate<WriteBook>?, _ property: String?, _ ascending: Bool) throws -> [String]
    {
      let results = repository.query(
        returningClass: WriteBook.self,
        predicate: predicate,
        sortedBy: property,
        ascending: ascending
      )
      return try #require(results).map(\.isbn)
    }
    // Swift's sort is stable: equal ones stay in the order of their keys, as in the store.
    let rising = expected.sorted { $0.pages < $1.pages }.map(\.isbn)
    let falling = expected.sorted { $0.pages > $1.pages }.map(\.isbn)
    #expect(try found(large, "pages", true) == rising)
    #expect(try found(large, "pages", false) == falling)
    #expect(try found(large, nil, true) == expected.map(\.isbn))
    #expect(try found(nil, "title", true) == rows.sorted { $0.title < $1.title }.map(\.isbn))
    #expect(try found(nil, "isbn", false) == rows.reversed().map(\.isbn))
    #expect(try found(nil, nil, true) == rows.map(\.isbn))
    #expect(try found(#Predicate { $0.pages > 100 }, "pages", true) == [])
  }

  @Test(arguments: [true, false]) func existenceAndCountNeedNoObject(inMemory: Bool) throws {
    let repository = try library(inMemory)
    defer { repository.closeChecked() }
    let isbns = try rows(repository).map(\.isbn)
    #expect(try repository.count(WriteBook.self) == isbns.count)
    for isbn in isbns { #expect(try repository.exists(WriteBook.self, forPrimaryKey: isbn)) }
    #expect(try !repository.exists(WriteBook.self, forPrimaryKey: "none of them"))
    try repository.store().write { try $0.deleteAll(WriteBook.self) }
    #expect(try repository.count(WriteBook.self) == 0)
    for isbn in isbns { #expect(try !repository.exists(WriteBook.self, forPrimaryKey: isbn)) }
  }

  @Test func severalPropertiesDecideOneAfterTheOther() throws {
    let repository = try library(true)
    defer { repository.closeChecked() }
    let rows = try rows(repository)
    let results = try #require(repository.queryAll(returningClass: WriteBook.self))
      .sorted(by: [PropertyOrder(keyPath: "title", ascending: false), PropertyOrder(keyPath: "pages")])
    let expected = rows.sorted { ($1.title, $0.pages) < ($0.title, $1.pages) }
    #expect(results.map(\.isbn) == expected.map(\.isbn))
    #expect(try results.all().map(\.isbn) == expected.map(\.isbn))
  }

  @Test func numbersAreOrderedByValueAndKeyPathsNameTheirProperty() throws {
    let repository = WriteRepository.inMemory()
    defer { repository.closeChecked() }
    let numbers = [5, -1, .min, 256, 0, .max, -300, 255, -256, 65_536, 1]
    try repository.saveNow(numbers.enumerated().map { WriteBook("\($0)", title: "t", pages: $1) })
    let books = try #require(repository.queryAll(returningClass: WriteBook.self))
    #expect(books.sorted(byKeyPath: \.pages).map(\.pages) == numbers.sorted())
    #expect(books.sorted(byKeyPath: \.pages, ascending: false).map(\.pages) == numbers.sorted(by: >))
  }

  @Test(arguments: [true, false]) func predicatesLookThroughLinksAndAddUp(inMemory: Bool) throws {
    let repository = try library(inMemory)
    defer { repository.closeChecked() }
    let rows = try rows(repository)
    let books = try #require(repository.queryAll(returningClass: WriteBook.self))
    let bobs = books.filter(#Predicate { $0.author?.name == "Bob" })
    #expect(bobs.map(\.isbn) == rows.enumerated().filter { $0.offset % 4 == 1 }.map(\.element.isbn))
    #expect(bobs.count == 10 && !bobs.isEmpty)
    #expect(books.filter(#Predicate { $0.author?.name == nil }).count == 10)
    let both = bobs.filter(#Predicate { $0.title == "title 2" })
    let expected = rows.enumerated().filter { $0.offset % 4 == 1 && $0.element.title == "title 2" }
    #expect(both.map(\.isbn) == expected.map(\.element.isbn) && both.count == 2)
    #expect(
      both.first?.isbn == expected.first?.element.isbn && both.last?.isbn == expected.last?.element.isbn
    )
    #expect(both[1]?.isbn == both.last?.isbn && both[2] == nil && both[-1] == nil)
    #expect(books.filter(#Predicate { $0.isbn == "none" }).isEmpty)
  }

  @Test func whatCannotBeOrderedByIsAnError() throws {
    let events = Lock<[FiefError]>([])
    var observed = WriteRepository.inMemory()
    observed.storeOptions.eventHandler = { event in
      if case .failedRead(_, _, _, let error as FiefError) = event { events.withLock { $0.append(error) } }
    }
    let repository = observed
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1"), WriteBook("2")])
    let cases: [(String, FiefError.Code)] = [
      ("nothing", .unknownProperty), ("", .unknownProperty), ("author", .invalidQuery),
      ("cover", .invalidQuery),
    ]
    for (property, expected) in cases {
      let results = try #require(repository.query(returningClass: WriteBook.self, sortedBy: property))
      let error = failure { try results.all() } as? FiefError
      #expect(error?.code == expected && error?.property == property, "\(property)")
      #expect(error?.type == "WriteBook" && error?.store == "books", "\(property)")
      let before = events.withLock { $0.count }
      #expect(results.map(\.isbn) == [] && results.first == nil, "\(property)")
      #expect(events.withLock { $0.count } > before, "\(property)")
    }
    #expect(repository.isbns == ["1", "2"])
  }

  @Test func eachUseSeesTheNewestStateAndAScopeOneState() throws {
    let repository = try library(false)
    defer { repository.closeChecked() }
    let books = try #require(repository.queryAll(returningClass: WriteBook.self))
      .filter(#Predicate { $0.pages == 100 })
    #expect(books.isEmpty)
    try repository.saveNow([WriteBook("new", pages: 100)])
    #expect(books.map(\.isbn) == ["new"])
    try repository.read { snapshot in
      let pinned = snapshot.objects(WriteBook.self).filter(#Predicate { $0.pages == 100 })
      try repository.saveNow([WriteBook("newer", pages: 100)])
      #expect(pinned.map(\.isbn) == ["new"] && pinned.count == 1)
      #expect(books.map(\.isbn).sorted() == ["new", "newer"])
    }
    try repository.write { transaction in
      let found = transaction.objects(WriteBook.self).filter(#Predicate { $0.pages == 100 })
      for book in found { book.pages = 7 }
      #expect(found.isEmpty)
      #expect(books.isEmpty)
    }
    #expect(books.isEmpty)
  }
}

extension ResultsTests {
  @Test func aRepositoryTakesAClosureToo() throws {
    let repository = try library(true)
    defer { repository.closeChecked() }
    let found = repository.query(returningClass: WriteBook.self, sortedBy: "pages") { $0.pages > 2 }
    let expected = try rows(repository).filter { $0.pages > 2 }.sorted { $0.pages < $1.pages }.map(\.isbn)
    #expect(try #require(found).map(\.isbn) == expected && !expected.isEmpty)
  }
}
