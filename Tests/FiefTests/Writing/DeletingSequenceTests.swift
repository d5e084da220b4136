import Fief
import FiefTesting
import Foundation
import Testing

@Suite struct DeletingSequenceTests {
  @Test(
    "objects that were linked in the same write can be deleted together as each by itself",
    arguments: [false, true]
  )
  func newlyLinked(together: Bool) throws {
    let repository = WriteRepository.inMemory()
    defer { repository.close() }
    try repository.saveNow([WriteBook("1")])
    try repository.store().write { transaction in
      let book = try #require(try transaction.object(ofType: WriteBook.self, forPrimaryKey: "1"))
      let author = WriteAuthor("new")
      book.author = author
      if together { try transaction.delete([author]) } else { try transaction.delete(author) }
    }
    #expect(repository.authors == [])
    #expect(repository.book("1")?.author == nil)
    #expect(try repository.check().problems == [])
  }

  @Test(
    "a failed save leaves objects as they were, whatever they link",
    arguments: [UpdatePolicy.error, .modified]
  )
  func failedSave(policy: UpdatePolicy) throws {
    let repository = WriteRepository.inMemory()
    defer { repository.close() }
    try repository.saveNow([WriteBook("1")])
    let author = WriteAuthor("a")
    let fresh = WriteBook("2")
    fresh.author = author
    fresh.cover = WriteCover()
    author.books.append(fresh)
    let other = WriteBook(policy == .error ? "1" : String(repeating: "x", count: 600))
    #expect(throws: (any Error).self) { try repository.saveNow([author, fresh, other], policy) }
    #expect(repository.isbns == ["1"] && repository.authors == [])
    try repository.saveNow([author], policy)
    #expect(repository.isbns == ["1", "2"] && repository.authors == ["a"])
    fresh.pages = 3
    try repository.saveNow([fresh], .modified)
    #expect(repository.book("2")?.pages == 3 && repository.book("2")?.author?.name == "a")
    #expect(repository.book("2")?.cover != nil)
    #expect(try repository.check().problems == [])
  }
}
