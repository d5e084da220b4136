import Fief
import FiefImport
import FiefTesting
import Foundation
import Testing

/// Imports of applications: the objects, the problems, and the behaviour at interruptions.
struct ImportTests {
  private static let lines = """
    {"isbn": "1", "title": "A Wizard of Earthsea", "year": 1968, "author": "Ursula"}
    {"isbn": "2", "title": "Emma", "year": 1815, "price": 3.5}

    """

  @Test(arguments: StoreKind.allCases) func linesBecomeObjects(_ kind: StoreKind) async throws {
    let library = try StoreFixture(LibraryRepository(), kind)
    try await library.write { _ = try $0.create(Writer.self, value: ["name": "Ursula"]) }
    let result = try await library.importObjects(from: try FeedFile(Self.lines).url, of: Book.self)
    #expect(result.inserted == 2 && result.problemCount == 0)
    try expectContents(of: library, Book.self, \.year, equal: [1968, 1815])
    try expectContents(of: library, Book.self, \.author?.name, equal: ["Ursula", nil])
    try expectContents(of: library, Book.self, \.price, equal: [nil, 3.5])
  }

  @Test(arguments: StoreKind.allCases) func rowsBecomeObjects(_ kind: StoreKind) throws {
    let library = try StoreFixture(LibraryRepository(), kind)
    let file = try FeedFile(
      "isbn,title,year\n1,\"Emma, or: \"\"a\"\"\nnovel\",1815\n2,Persuasion,1817\n",
      "csv"
    )
    let result = try library.importObjectsAndWait(from: file.url, of: Book.self)
    #expect(result.inserted == 2 && result.problems.isEmpty)
    try expectContents(of: library, Book.self, \.title, equal: ["Emma, or: \"a\"\nnovel", "Persuasion"])
  }

  @Test(arguments: StoreKind.allCases)
  func noFormImportsInsideOfAnOptimisticTransaction(_ kind: StoreKind) async throws {
    let library = try StoreFixture(LibraryRepository(), kind)
    let file = try FeedFile(Self.lines).url
    let forms: [@Sendable () async throws -> Void] = [
      { try await library.importObjects(from: file, of: Book.self) },
      { try await library.importObjects(from: Parts(Self.lines, size: 7), of: Book.self) },
      { try Self.importAndWait(library, file) },
    ]
    for (number, form) in forms.enumerated() {
      let found = Lock<FiefError?>(nil)
      try await library.store().runTransaction { _ in
        do { try await form() } catch { found.withLock { $0 = error as? FiefError } }
      }
      #expect(found.withLock { $0?.code } == .nestedWrite, "form \(number)")
    }
    try expectContents(of: library, Book.self, \.year, equal: [])
    try await forms[0]()
    try expectContents(of: library, Book.self, \.year, equal: [1968, 1815])
  }

  private static func importAndWait(_ library: StoreFixture<LibraryRepository>, _ file: URL) throws {
    try library.importObjectsAndWait(from: file, of: Book.self)
  }

  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian])
  func linesOfAnotherEncodingAreOneProblem(_ encoding: String.Encoding) throws {
    let library = try StoreFixture(LibraryRepository())
    let file = try FeedFile("").url
    try #require(Self.lines.data(using: encoding)).write(to: file)
    let problem = #expect(throws: ImportProblem.self) {
      try library.importObjectsAndWait(from: file, of: Book.self)
    }
    #expect(problem?.line == 1 && problem?.error.message == "The input is not UTF-8.")
    try expectContents(of: library, Book.self, \.year, equal: [])
  }

  @Test func linesOfSeveralTypesNameThem() throws {
    let library = try StoreFixture(LibraryRepository())
    let text = """
      {"$type": "Book", "isbn": "1", "title": "Earthsea", "author": "Ursula"}
      {"$type": "Writer", "name": "Ursula"}
      """
    let result = try library.importObjectsAndWait(from: try FeedFile(text).url)
    #expect(result.inserted == 2 && result.problemCount == 0)
    try expectContents(of: library, Book.self, \.author?.name, equal: ["Ursula"])
  }

  @Test func aProblemNamesItsLineAndItsProperty() throws {
    let library = try StoreFixture(LibraryRepository())
    let text = """
      {"isbn": "1", "title": "Emma", "year": 1815}
      {"isbn": "2", "title": "Persuasion", "year": "late"}
      {"isbn": "3", "titel": "Sanditon"}
      {"isbn": "1", "title": "Emma again"}
      {"isbn": "4", "author": "nobody"}
      {"isbn": "5"
      """
    let result = try library.importObjectsAndWait(from: try FeedFile(text).url, of: Book.self)
    #expect(result.inserted == 2 && result.problemCount == 5)
    let found = result.problems.sorted { $0.line < $1.line }
    #expect(found.map(\.line) == [2, 3, 4, 5, 6])
    #expect(
      found.map(\.error.code) == [
        .invalidValue, .unknownProperty, .duplicatePrimaryKey, .objectNotFound, .malformedJSON,
      ]
    )
    #expect(found.map(\.error.property) == ["year", "titel", nil, "author", nil])
    #expect(found.prefix(4).allSatisfy { $0.error.type == "Book" })
    #expect(found[0].description.hasPrefix("line 2: Book.year: "))
    #expect(!found[0].description.contains("late"))
  }

  @Test func aProblemMayEndTheImport() throws {
    let library = try StoreFixture(LibraryRepository())
    let lines = (1...2500).map { "{\"isbn\": \"\($0)\", \"year\": \($0 == 1500 ? "\"x\"" : "\($0)")}" }
    let file = try FeedFile(lines.joined(separator: "\n"))
    let problem = #expect(throws: ImportProblem.self) {
      try library.importObjectsAndWait(
        from: file.url,
        of: Book.self,
        options: ImportOptions(stopsAtProblem: true)
      )
    }
    #expect(
      problem?.line == 1500 && problem?.error.property == "year" && problem?.error.code == .invalidValue
    )
    try expectCount(of: library, Book.self, 1000)
  }

  @Test(arguments: [
    ("isbn,titel\n1,Emma\n", "titel", FiefError.Code.unknownProperty),
    ("isbn,isbn\n1,2\n", "isbn", .invalidValue),
  ])
  func aWrongHeadingEndsTheImport(text: String, property: String, code: FiefError.Code) throws {
    let library = try StoreFixture(LibraryRepository())
    let file = try FeedFile(text, "csv")
    let problem = #expect(throws: ImportProblem.self) {
      try library.importObjectsAndWait(from: file.url, of: Book.self)
    }
    #expect(problem?.line == 1 && problem?.error.property == property && problem?.error.code == code)
    try expectCount(of: library, Book.self, 0)
  }

  @Test func aTableNeedsAType() throws {
    let library = try StoreFixture(LibraryRepository())
    let file = try FeedFile("isbn\n1\n", "csv")
    let error = #expect(throws: FiefError.self) { try library.importObjectsAndWait(from: file.url) }
    #expect(error?.code == .unknownType)
  }

  @Test func existingKeysAreHandledAsTheOptionsSay() throws {
    for (conflict, title, year) in [
      (DynamicConflict.skip, "Emma", 1815), (.merge, "Emma", 1816), (.replace, "", 1816),
    ] {
      let library = try StoreFixture(LibraryRepository())
      try library.write { _ = try $0.create(Book.self, value: ["isbn": "1", "title": "Emma", "year": 1815]) }
      let file = try FeedFile("{\"isbn\": \"1\", \"year\": 1816}\n")
      let result = try library.importObjectsAndWait(
        from: file.url,
        of: Book.self,
        options: ImportOptions(onConflict: conflict)
      )
      #expect(result.skipped + result.merged + result.replaced == 1 && result.problemCount == 0)
      try expectContents(of: library, Book.self, \.title, equal: [title])
      try expectContents(of: library, Book.self, \.year, equal: [year])
    }
  }

  @Test(arguments: [1, 7, 100_000]) func aFeedArrivesInParts(size: Int) async throws {
    let library = try StoreFixture(LibraryRepository())
    let text = "isbn,title,year\r\n" + (1...300).map { "\($0),\"é, \($0)\",\($0)\r\n" }.joined()
    let result = try await library.importObjects(
      from: Parts(text, size: size),
      of: Book.self,
      options: ImportOptions(format: .csv)
    )
    #expect(result.inserted == 300 && result.problemCount == 0)
    #expect(library.object(ofType: Book.self, forPrimaryKey: "7")?.title == "é, 7")
  }

  @Test func aFeedThatBreaksOffChangesNothing() async throws {
    let library = try StoreFixture(LibraryRepository())
    await #expect(throws: Parts.Broken.self) {
      try await library.importObjects(from: Parts(Self.lines, size: 50, isBroken: true), of: Book.self)
    }
    try expectCount(of: library, Book.self, 0)
  }

  /// A stream ends without an error if its task is cancelled, so the received part looks like the whole feed.
  @Test func aFeedWhoseTaskIsCancelledChangesNothing() async throws {
    let library = try StoreFixture(LibraryRepository())
    let (feed, arriving) = AsyncStream.makeStream(of: [UInt8].self)
    arriving.yield(Array("isbn,title,year\n1,Emma,18".utf8))
    let imports = Task {
      try await library.importObjects(from: feed, of: Book.self, options: ImportOptions(format: .csv))
    }
    imports.cancel()
    await #expect(throws: CancellationError.self) { try await imports.value }
    try expectCount(of: library, Book.self, 0)
  }

  @Test func anInterruptedImportContinues() async throws {
    let library = try StoreFixture(LibraryRepository())
    let lines = (1...3500).map { "{\"isbn\": \"\($0)\", \"author\": \"w\($0)\"}" }
    let writers = (1...3500).map { "{\"$type\": \"Writer\", \"name\": \"w\($0)\"}" }
    let text =
      (lines.map { $0.replacingOccurrences(of: "{\"isbn", with: "{\"$type\": \"Book\", \"isbn") } + writers)
      .joined(separator: "\n")
    let file = try FeedFile(text)
    let id = UUID()
    // The import ends after the batch in which its task was cancelled.
    let (begins, begin) = AsyncStream<Void>.makeStream()
    let task = Lock<Task<ImportResult, any Error>?>(nil)
    let cancelling = ImportOptions(id: id, progress: { _ in task.withLock { $0 }?.cancel() })
    let interrupted = Task {
      for await _ in begins { break }
      return try await library.importObjects(from: file.url, options: cancelling)
    }
    task.withLock { $0 = interrupted }
    begin.yield()
    await #expect(throws: CancellationError.self) { try await interrupted.value }
    try expectCount(of: library, Book.self, 1000)
    let result = try await library.importObjects(from: file.url, options: ImportOptions(id: id))
    #expect(result.problemCount == 0)
    try expectCount(of: library, Book.self, 3500)
    #expect(try library.objects(Book.self).where { $0.author.name == nil }.fetchCount() == 0)
    // The notes are gone: the same identifier begins again.
    let again = try await library.importObjects(from: file.url, options: ImportOptions(id: id))
    #expect(again.inserted == 0 && again.problemCount == 7000)
  }

  @Test func observersSeeTheObjects() async throws {
    let library = try StoreFixture(LibraryRepository())
    let books = try library.objects(Book.self)
    async let seen: Int? = {
      for try await change in books.changes() {
        if case .update(let books, _, _, _) = change, books.count == 2 { return books.count }
        if case .initial(let books) = change, books.count == 2 { return books.count }
      }
      return nil
    }()
    try await library.importObjects(from: try FeedFile(Self.lines).url, of: Book.self)
    #expect(try await seen == 2)
  }

  @Test func anEncryptedStoreIsOpenedWithItsKey() throws {
    let library = try StoreFixture(LibraryRepository(), .encrypted)
    let result = try library.importObjectsAndWait(from: try FeedFile(Self.lines).url, of: Book.self)
    #expect(result.inserted == 2)
  }
}
