import Fief
import Foundation
import Testing

@testable import FiefCore

/// `write { }`: everything or nothing, live objects, and what may not be done.
struct StoreTransactionTests {
  private struct Refused: Error {}

  private let repository = WriteRepository.inMemory()

  @Test func aThrownErrorTakesEverythingBack() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1", title: "First")])
    let author = WriteAuthor("Ann")
    let book = WriteBook("2", title: "New")
    #expect(throws: Refused.self) {
      try repository.write { transaction in
        author.books.append(book)
        try transaction.add(author)
        let first = try #require(try transaction.object(ofType: WriteBook.self, forPrimaryKey: "1"))
        first.title = "Changed"
        first.author = author
        #expect(try transaction.count(WriteBook.self) == 2)
        try transaction.delete(first)
        throw Refused()
      }
    }
    #expect(repository.isbns == ["1"] && repository.authors == [])
    #expect(repository.book("1")?.title == "First")
    #expect(try repository.check().problems == [])
    // The objects are new again: saving one saves what it links, under ids of its own.
    try repository.saveNow((0..<200).map { WriteAuthor("other \($0)") })
    try repository.saveNow([author])
    #expect(try repository.count(WriteAuthor.self) == 201)
    #expect(repository.isbns == ["1", "2"])
    #expect(repository.book("2")?.title == "New")
    #expect(try repository.check().problems == [])
  }

  @Test func anObjectThatWasDeletedInARolledBackWriteIsStillThere() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteAuthor("Ann")])
    var kept: WriteAuthor?
    #expect(throws: Refused.self) {
      try repository.write { transaction in
        kept = transaction.objects(WriteAuthor.self).first
        try transaction.delete(try #require(kept))
        throw Refused()
      }
    }
    kept?.name = "Bea"
    try repository.saveNow([try #require(kept)], .all)
    #expect(repository.authors == ["Bea"])
  }

  @Test func theAsynchronousFormTakesEverythingBackToo() async throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1", title: "First")])
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let error = await failure(
            of: Task {
              try await repository.write { transaction in
                try transaction.add(WriteAuthor("author \(number)"))
                try transaction.create(WriteBook.self, value: ["isbn": "book \(number)"])
                if number % 2 == 1 { throw Refused() }
              }
            }
          )
          #expect((error is Refused) == (number % 2 == 1))
        }
      }
    }
    #expect(try repository.count(WriteAuthor.self) == 20)
    #expect(Set(repository.isbns) == Set((0..<40).filter { $0 % 2 == 0 }.map { "book \($0)" } + ["1"]))
    #expect(try repository.check().problems == [])
  }

  @Test func anErrorOfACallThatCannotThrowEndsTheWrite() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1")])
    let store = repository.store()
    let error = failure {
      try store.write {
        store.add(WriteBook("2"))
        store.add(WriteBook("1"))
        store.add(WriteBook("3"))
      }
    }
    #expect(code(error) == .duplicatePrimaryKey)
    #expect(repository.isbns == ["1"])
  }

  @Test func aFailedCallThatWasCaughtLeavesTheRest() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1")])
    let author = WriteAuthor("Ann")
    try repository.write { transaction in
      author.books.append(WriteBook("2"))
      author.books.append(WriteBook("1", title: "again"))
      #expect(code(failure { try transaction.add(author) }) == .duplicatePrimaryKey)
      try transaction.add(WriteBook("3"))
    }
    #expect(repository.isbns == ["1", "3"] && repository.authors == [])
    author.books.removeAll()
    try repository.saveNow([author])
    #expect(repository.authors == ["Ann"])
    #expect(try repository.check().problems == [])
  }

  @Test func aWriteInsideAWriteIsAnError() async throws {
    defer { repository.closeChecked() }
    try writeInsideAWrite()
    let repository = repository
    let error = try await repository.write { transaction -> FiefError.Code? in
      try transaction.add(WriteBook("3"))
      return code(failure { try repository.write { _ in } })
    }
    #expect(error == .nestedWrite)
    #expect(repository.isbns == ["1", "3"])
  }

  private func writeInsideAWrite() throws {
    try repository.write { transaction in
      try transaction.add(WriteBook("1"))
      #expect(code(failure { try repository.write { _ in } }) == .nestedWrite)
      #expect(code(failure { try repository.saveNow([WriteBook("2")]) }) == .nestedWrite)
      #expect(code(failure { try repository.deleteStore() }) == .nestedWrite)
    }
  }

  @Test func aTransactionIsOfNoUseAfterItsEnd() throws {
    defer { repository.closeChecked() }
    var kept: WriteTransaction?
    var live: WriteBook?
    try repository.write { transaction in
      kept = transaction
      live = try transaction.create(WriteBook.self, value: ["isbn": "1", "title": "One"])
    }
    let ended = try #require(kept)
    let book = try #require(live)
    #expect(code(failure { try ended.add(WriteBook("2")) }) == .transactionEnded)
    #expect(code(failure { try ended.create(WriteBook.self, value: ["isbn": "2"]) }) == .transactionEnded)
    #expect(code(failure { try ended.delete(book) }) == .transactionEnded)
    #expect(code(failure { try ended.deleteAll() }) == .transactionEnded)
    #expect(code(failure { try ended.deleteAll(WriteBook.self) }) == .transactionEnded)
    #expect(code(failure { try ended.count(WriteBook.self) }) == .transactionEnded)
    #expect(
      code(failure { try ended.object(ofType: WriteBook.self, forPrimaryKey: "1") }) == .transactionEnded
    )
    // An object that outlives its write is a plain one.
    book.title = "Plain"
    #expect(repository.book("1")?.title == "One")
    try repository.saveNow([book], .modified)
    #expect(repository.book("1")?.title == "Plain")
    #expect(repository.isbns == ["1"])
  }

  @Test func aKeyOfALiveObjectCannotBeChanged() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1"), WriteBook("2", title: "Two")])
    let error =
      failure {
        try repository.write { transaction in
          let book = try #require(try transaction.object(ofType: WriteBook.self, forPrimaryKey: "1"))
          book.isbn = "2"
        }
      } as? FiefError
    #expect(error?.code == .invalidValue && error?.type == "WriteBook" && error?.property == "isbn")
    #expect(repository.book("2")?.title == "Two" && repository.isbns == ["1", "2"])
  }

  @Test func anErrorInTheMiddleOfChangesCannotBeSwallowed() throws {
    defer { repository.closeChecked() }
    try repository.saveNow([WriteBook("1")])
    let error = failure {
      try repository.write { transaction in
        let book = try #require(try transaction.object(ofType: WriteBook.self, forPrimaryKey: "1"))
        book.title = "Changed"
        let author = WriteAuthor("Ann")
        author.books.append(WriteBook(String(repeating: "x", count: 600)))
        book.author = author
        _ = try? transaction.count(WriteBook.self)
      }
    }
    #expect(code(error) == .primaryKeyTooLong)
    #expect(repository.book("1")?.title == "" && repository.authors == [])
    #expect(try repository.check().problems == [])
  }
}

/// The effect of a deletion on live objects in the same write.
struct LiveLinkTests {
  private let repository = WriteRepository.inMemory()

  @Test func aListLosesWhatIsDeletedAndStaysTheSameList() throws {
    defer { repository.closeChecked() }
    let author = WriteAuthor("Ann")
    author.books.append(objectsIn: (1...4).map { WriteBook("\($0)") })
    try repository.saveNow([author])
    try repository.write { transaction in
      let author = try #require(transaction.objects(WriteAuthor.self).first)
      let books = author.books
      let first = try #require(books.first)
      try transaction.delete(first)
      #expect(books.map(\.isbn) == ["2", "3", "4"])
      books.append(try transaction.create(WriteBook.self, value: ["isbn": "5"]))
      books.remove(at: 0)
      try transaction.delete(WriteBook("3"))
      #expect(author.books === books && books.map(\.isbn) == ["4", "5"])
    }
    #expect(repository.queryAll(returningClass: WriteAuthor.self)?.first?.books.map(\.isbn) == ["4", "5"])
    try repository.write { transaction in
      let author = try #require(transaction.objects(WriteAuthor.self).first)
      // The list was not read before the deletion.
      try transaction.delete(WriteBook("4"))
      #expect(author.books.map(\.isbn) == ["5"])
      author.name = "Bea"
      try transaction.deleteAll(WriteBook.self)
      #expect(author.books.isEmpty && author.name == "Bea")
      author.books.append(try transaction.create(WriteBook.self, value: ["isbn": "6"]))
    }
    let found = try #require(repository.queryAll(returningClass: WriteAuthor.self)?.first)
    #expect(found.books.map(\.isbn) == ["6"] && found.name == "Bea")
    #expect(try repository.check().problems == [])
  }

  @Test func aLinkIsNilAfterTheDeletion() throws {
    defer { repository.closeChecked() }
    for number in 1...3 {
      let book = WriteBook("\(number)")
      book.author = WriteAuthor("author \(number)")
      try repository.saveNow([book])
    }
    try repository.write { transaction in
      let books = Array(transaction.objects(WriteBook.self))
      let author = try #require(books[0].author)
      try transaction.delete(author)
      #expect(books[0].author == nil && books[1].author?.name == "author 2")
      let kept = books[1].author
      try transaction.deleteAll(WriteAuthor.self)
      #expect(books.allSatisfy { $0.author == nil })
      // A deleted object can be added again; it is a new one.
      try transaction.add(try #require(kept))
      books[2].author = kept
    }
    #expect(repository.book("1")?.author == nil && repository.book("2")?.author == nil)
    #expect(repository.book("3")?.author?.name == "author 2" && repository.authors == ["author 2"])
    #expect(try repository.check().problems == [])
  }
}
