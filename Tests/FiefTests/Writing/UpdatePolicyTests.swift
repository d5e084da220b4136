import Fief
import TestEffort
import Testing

/// The effect of a save on an object that is there, and on several at once.
struct UpdatePolicyTests {
  private let repository = WriteRepository.inMemory()

  @Test func errorRefusesAKeyThatExists() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1", title: "First", pages: 10)])
    let error = failure { try repository.saveNow([WriteBook("1", title: "Second")]) } as? FiefError
    #expect(error?.code == .duplicatePrimaryKey)
    #expect(error?.store == "books" && error?.type == "WriteBook" && error?.key == "1")
    #expect(repository.book("1")?.title == "First" && repository.book("1")?.pages == 10)
    #expect(try repository.check().problems == [])
  }

  @Test func allReplacesTheWhole() throws {
    defer { repository.closeChecked() }
    let book = WriteBook("1", title: "First", pages: 10)
    book.cover = WriteCover(value: ["color": "red"])
    book.author = WriteAuthor("Ann")
    try repository.saveNow([book])
    try repository.saveNow([WriteBook("1", title: "Second")], .all)
    let found = try #require(repository.book("1"))
    #expect(found.title == "Second" && found.pages == 0 && found.cover == nil && found.author == nil)
    #expect(repository.authors == ["Ann"])
    #expect(try repository.check().problems == [])
  }

  @Test func modifiedWritesWhatWasAssigned() throws {
    defer { repository.closeChecked() }
    let book = WriteBook("1", title: "First", pages: 10)
    book.author = WriteAuthor("Ann")
    try repository.saveNow([book])
    let title = try #require(repository.book("1"))
    let pages = try #require(repository.book("1"))
    title.title = "Changed"
    pages.pages = 99
    try repository.saveNow([title], .modified)
    try repository.saveNow([pages], .modified)
    let found = try #require(repository.book("1"))
    #expect(found.title == "Changed" && found.pages == 99 && found.author?.name == "Ann")
    let new = WriteBook()
    new.isbn = "2"
    new.pages = 5
    try repository.saveNow([new], .modified)
    #expect(repository.book("2")?.pages == 5)
    #expect(try repository.check().problems == [])
  }

  @Test func severalAreSavedTogetherOrNotAtAll() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("5", title: "Five")])
    let many = (0..<10).map { WriteBook("\($0)", title: "new") }
    #expect(code(failure { try repository.saveNow(many) }) == .duplicatePrimaryKey)
    #expect(repository.isbns == ["5"])
    let long = WriteBook(String(repeating: "x", count: 600))
    let error = failure { try repository.saveNow([WriteBook("1"), long], .all) } as? FiefError
    #expect(error?.code == .primaryKeyTooLong && error?.type == "WriteBook" && error?.property == "isbn")
    #expect(repository.isbns == ["5"])
    #expect(code(failure { try repository.deleteNow([many[5], WriteBook("none")]) }) == .objectNotFound)
    #expect(repository.book("5")?.title == "Five")
    #expect(try repository.check().problems == [])
  }

  @Test func anObjectOfAFailedSaveIsNewAgain() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1")])
    let author = WriteAuthor("Ann")
    author.books.append(WriteBook("1"))
    #expect(code(failure { try repository.saveNow([author]) }) == .duplicatePrimaryKey)
    // The object's row id must not be used in another store, where another object has it.
    let other = WriteRepository.inMemory()
    defer { other.close() }
    try other.saveNow((0..<100).map { WriteAuthor("author \($0)") })
    author.books.removeAll()
    try other.saveNow([author])
    #expect(try other.count(WriteAuthor.self) == 101)
    #expect(try other.check().problems == [])
  }

  @Test func moreNewObjectsThanABlockOfRowIDsAreSavedAtOnce() async throws {
    defer { repository.closeChecked() }
    // In the long form more than the largest block has, too.
    let count = TestEffort.count(5_000, more: 70_000)
    try await repository.save(entities: (0..<count).map { WriteAuthor("\($0)") }, update: true)
    #expect(try repository.count(WriteAuthor.self) == count)
  }

  @Test func aLinkToADeletedObjectIsClearedIfItWasReadAndRefusedIfItIsGiven() throws {
    defer { repository.closeChecked() }
    let author = WriteAuthor("Ann")
    author.books.append(WriteBook("1"))
    author.books.append(WriteBook("2"))
    try repository.saveNow([author])
    let stale = try #require(repository.queryAll(returningClass: WriteAuthor.self)?.first)
    let target = try #require(repository.book("1"))
    try repository.deleteNow([WriteBook("1")])
    stale.name = "Bea"
    try repository.saveNow([stale], .all)
    #expect(try repository.check().problems == [])
    let found = try #require(repository.queryAll(returningClass: WriteAuthor.self)?.first)
    #expect(found.name == "Bea" && found.books.map(\.isbn) == ["2"])
    let book = try #require(repository.book("2"))
    book.author = found
    try repository.deleteNow([found])
    let refused = #expect(throws: FiefError.self) { try repository.saveNow([book], .modified) }
    #expect(refused?.code == .objectNotFound && refused?.property == "author")
    #expect(repository.book("2")?.author == nil)
    #expect(try repository.check().problems == [])
    let failed = #expect(throws: FiefError.self) {
      try repository.write { transaction in
        let author = try transaction.create(WriteAuthor.self, value: ["name": "Cid"])
        author.books.append(target)
      }
    }
    #expect(failed?.code == .objectNotFound && failed?.property == "books")
    #expect(try repository.check().problems == [])
    #expect(try repository.count(WriteAuthor.self) == 0)
  }
}
