import Fief
import FiefTesting
import Testing

/// The code of the article about the twenty names: it compiles, runs, and is what the article shows.
@Suite(.freshStores) struct TwentyNamesArticleTests {
  @Test func theExampleRuns() async throws {
    let book = Book(value: ["isbn": "9780547773742", "title": "A Wizard of Earthsea", "year": 1968])
    // Documentation: begin names
    let library = LibraryRepository()
    try await library.save(entity: book, update: .modified)
    try await library.write { transaction in
      let book = try transaction.object(ofType: Book.self, forPrimaryKey: "9780547773742")
      book?.copies += 2
    }
    let old = try library.objects(Book.self).where { $0.year < 1970 }
    let token = old.observe { change in print(change) }
    // Documentation: end names
    #expect(old.map(\.copies) == [2])
    token.invalidate()
    #expect(try library.check().problems == [])
  }

  @Test func theArticleShowsThisCode() throws {
    try ArticleCode.expectSame("TwentyNames", as: #filePath)
  }
}
