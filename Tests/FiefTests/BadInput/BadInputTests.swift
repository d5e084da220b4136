import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// The mistakes of callers and schemas: a typed error that says where, nothing changed, and a store that goes
/// on working.
struct BadInputTests {
  static let names = [
    "", ".", "..", "a/b", "/tmp/a", "../a", "a\\b", "a\0b", "data.mdb", String(repeating: "x", count: 201),
  ]

  @Test(arguments: names)
  func aNameThatIsNoFileNameIsRefused(name: String) throws {
    let directory = try TemporaryDirectory()
    let repository = BadRepository(
      realmMemoryType: .inStorage,
      schemaName: name,
      directory: directory.path
    )
    #expect(repository.store().openingError?.code == .invalidStoreName)
    #expect(repository.store().openingError?.store == name)
    var outcome: Result<Bool, any Error> = .success(true)
    outcome = Result {
      try repository.saveAndWait(entity: WriteBook("1"), update: true)
      return true
    }
    #expect(code(failure { try outcome.get() }) == .invalidStoreName)
    #expect(repository.queryAll(returningClass: WriteBook.self) == nil)
    #expect(repository.object(ofType: WriteBook.self, forPrimaryKey: "1") == nil)
    #expect(code(failure { try repository.write { _ in } }) == .invalidStoreName)
    #expect(code(failure { try repository.read { _ in } }) == .invalidStoreName)
    #expect(code(failure { try repository.deleteStore() }) == .invalidStoreName)
    #expect(code(failure { try repository.observe { _ in } }) == .invalidStoreName)
    repository.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test func keysOfTheWrongTypeAreRefused() throws {
    let events = Lock<[FiefError]>([])
    var repository = WriteRepository.inMemory()
    repository.storeOptions.eventHandler = { event in
      if case .failedRead(_, _, _, let error as FiefError) = event { events.withLock { $0.append(error) } }
    }
    defer { repository.close() }
    try repository.saveNow([WriteBook("5", title: "Five")])
    let wrong: [Any] = [5.5, [1, 2], ["isbn": "5"], WriteBook("5"), Date(), NSNull()]
    for value in wrong {
      let error =
        failure { try repository.read { try $0.object(ofType: WriteBook.self, forPrimaryKey: value) } }
        as? FiefError
      #expect(
        error?.code == .invalidValue || error?.code == .missingValue,
        "\(value): \(String(describing: error))"
      )
      #expect(error?.store == "books" && error?.type == "WriteBook" && error?.property == "isbn", "\(value)")
      let before = events.withLock { $0.count }
      #expect(repository.object(ofType: WriteBook.self, forPrimaryKey: value) == nil)
      #expect(events.withLock { $0.count } == before + 1)
    }
    let long = String(repeating: "x", count: 600)
    let tooLong = failure { try repository.exists(WriteBook.self, forPrimaryKey: long) } as? FiefError
    #expect(tooLong?.code == .primaryKeyTooLong && tooLong?.type == "WriteBook")
    let noKey =
      failure { try repository.read { try $0.object(ofType: WriteAuthor.self, forPrimaryKey: 1) } }
      as? FiefError
    #expect(noKey?.code == .missingPrimaryKey && noKey?.type == "WriteAuthor" && noKey?.store == "books")
    #expect(repository.isbns == ["5"])
  }

  @Test func typesOfOthersAreRefused() throws {
    let repository = WriteRepository.inMemory()
    defer { repository.close() }
    try repository.saveNow([WriteBook("1")])
    #expect(repository.queryAll(returningClass: TypedPet.self) == nil)
    #expect(repository.object(ofType: TypedPet.self, forPrimaryKey: "1") == nil)
    let errors = [
      failure { try repository.saveNow([TypedPet()]) },
      failure { try repository.saveNow([WriteBook("2"), TypedPet()], .all) },
      failure { try repository.deleteNow([TypedPet()]) },
      failure { try repository.count(TypedPet.self) },
      failure { try repository.exists(TypedPet.self, forPrimaryKey: "1") },
      failure { try repository.read { try $0.objects(TypedPet.self).all() } },
      failure { try repository.write { try $0.create(TypedPet.self, value: ["name": "x"]) } },
      failure { try repository.write { try $0.deleteAll(TypedPet.self) } },
    ]
    for (index, error) in errors.enumerated() {
      let error = error as? FiefError
      #expect(
        error?.code == .unknownType && error?.store == "books",
        "\(index): \(String(describing: error))"
      )
      #expect(error?.type == "TypedPet", "\(index)")
      #expect(error?.details.first?.contains("WriteAuthor") == true, "\(index)")
    }
    let sameName = failure { try repository.saveNow([OtherBook<Unlisted>()]) } as? FiefError
    #expect(sameName?.code == .migrationRequired && sameName?.type == "WriteBook")
    #expect(sameName?.store == "books" && sameName?.details.isEmpty == false)
    #expect(repository.isbns == ["1"])
    #expect(try repository.check().problems == [])
  }

  @Test func anObjectOfAnotherStoreIsRefused() throws {
    let one = WriteRepository.inMemory()
    let two = WriteRepository.inMemory()
    defer {
      one.close()
      two.close()
    }
    try one.saveNow([WriteBook("1")])
    let book = try #require(one.book("1"))
    let author = WriteAuthor("Ann")
    author.books.append(book)
    for object in [book, author] as [Object] {
      let error = failure { try two.saveNow([object], .all) } as? FiefError
      #expect(error?.code == .foreignObject && error?.type == "WriteBook" && error?.store == "books")
    }
    #expect(code(failure { try two.deleteNow([book]) }) == .foreignObject)
    #expect(try two.count(WriteBook.self) == 0 && two.count(WriteAuthor.self) == 0)
    try two.saveNow([book.detached()])
    #expect(two.isbns == ["1"])
  }

  @Test func anEmbeddedObjectHasOneOwner() throws {
    let repository = WriteRepository.inMemory()
    defer { repository.close() }
    let cover = WriteCover(value: ["color": "red"])
    let books = [WriteBook("1"), WriteBook("2")]
    for book in books { book.cover = cover }
    let error = failure { try repository.saveNow(books) } as? FiefError
    #expect(error?.code == .embeddedObjectHasOwner && error?.type == "WriteCover" && error?.store == "books")
    #expect(repository.isbns == [])
    books[1].cover = WriteCover()
    try repository.saveNow(books)
    #expect(repository.isbns == ["1", "2"])
  }

  @Test func valuesThatDoNotFitNameTheirProperty() throws {
    let repository = WriteRepository.inMemory()
    defer { repository.close() }
    let values: [(Any, FiefError.Code, String?)] = [
      (["isbn": "1", "pages": "many"], .invalidValue, "pages"),
      (["isbn": "1", "nothing": 1], .unknownProperty, "nothing"),
      (["isbn": "1", "title": NSNull()], .missingValue, "title"),
      (["isbn": "1", "author": ["name": 5]], .invalidValue, "name"),
      (["isbn": "1", "cover": "red"], .invalidValue, "cover"),
      ([Any](repeating: "1", count: 99), .invalidValue, nil),
      (7, .invalidValue, nil),
    ]
    for (value, expected, property) in values {
      let error = failure { try WriteBook(validating: value) } as? FiefError
      #expect(error?.code == expected, "\(value): \(String(describing: error))")
      if let property { #expect(error?.property == property, "\(value)") }
      #expect(error?.type != nil, "\(value)")
      let written =
        failure { try repository.write { try $0.create(WriteBook.self, value: value) } } as? FiefError
      #expect(
        written?.code == expected && written?.store == "books",
        "\(value): \(String(describing: written))"
      )
      let saved = failure { try repository.saveNow([WriteBook(value: value)]) } as? FiefError
      #expect(saved?.code == expected && saved?.store == "books", "\(value): \(String(describing: saved))")
    }
    #expect(repository.isbns == [] && repository.authors == [])
  }

  @Test func anInvalidSchemaListsEveryViolation() throws {
    var repository = BadRepository()
    repository.objectTypes = [
      BadTwinOne<Unlisted>.self, BadTwinTwo<Unlisted>.self, BadKey<Unlisted>.self, BadLinks<Unlisted>.self,
      WriteBook.self,
    ]
    repository.embeddedObjectTypes = [BadPart<Unlisted>.self]
    let error = try #require(repository.store().openingError)
    #expect(error.code == .invalidSchema && error.store == "bad")
    let expected = [
      "two classes are named BadTwin", "BadKey.id: Double cannot be a primary key",
      "BadKey.tags: List<String> cannot be indexed", "BadLinks.parts: a set cannot hold embedded objects",
      "BadLinks.missing: BadMissing is not among", "BadLinks.inverse: BadKey has no property 'nothing'",
      "BadLinks.noLink: BadKey.tags is not a link",
      "BadLinks.second: another property has the column 'second'",
      "BadLinks: propertiesMapping() names 'third'", "BadPart is embedded and cannot have a primary key",
      "BadPart.name: a property of an embedded object cannot be indexed",
      "WriteBook.author: WriteAuthor is not among", "WriteBook.cover: WriteCover is not among",
    ]
    for text in expected {
      #expect(error.details.contains { $0.hasPrefix(text) }, "\(text) is not in \(error.details)")
    }
    #expect(error.details.count == expected.count, "\(error.details)")
    #expect(code(failure { try repository.write { _ in } }) == .invalidSchema)
  }
}
