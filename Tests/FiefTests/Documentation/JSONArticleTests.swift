import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *JSON and HTTP*.
@Suite(.freshStores) struct JSONArticleTests {
  // Documentation: begin model
  final class Story: Object, Codable {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var published: Date?
    @Persisted var tags: List<String>
    @Persisted var author: Writer?

    enum CodingKeys: String, CodingKey {
      case id, title, tags, author
      case published = "published_at"
    }
  }

  final class Writer: Object, Codable {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(originProperty: "author") var stories: LinkingObjects<Story>
  }
  // Documentation: end model

  private let news = TestRepository("news", objectTypes: [Story.self, Writer.self])

  private let documents = """
    [{"id": 1, "title": "Harbour opens", "published": "2026-05-04T08:00:00Z", "tags": ["city"],
      "author": {"name": "Ana"}},
     {"id": 2, "title": "Rain", "author": "Ana"}]
    """

  @Test func objectsAreEncodedAndDecoded() throws {
    try news.saveAndWait(saveClass: Story.self, jsonData: Data(documents.utf8))
    // Documentation: begin get
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let body = try encoder.encode(news.objects(Story.self).sorted(byKeyPath: \.title).all())
    // Documentation: end get
    let text = try #require(String(data: body, encoding: .utf8))
    #expect(text.contains(#""published_at":"2026-05-04T08:00:00Z""#) && !text.contains("stories"))
    // Documentation: begin post
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let stories = try decoder.decode([Story].self, from: body)
    try news.saveAndWait(entities: stories, update: true)
    // Documentation: end post
    #expect(stories.count == 2 && stories.first?.author?.name == "Ana")
    #expect(try news.count(Writer.self) == 1)
  }

  @Test func documentsAreSavedAsTheyAre() async throws {
    let body = Data(documents.utf8)
    // Documentation: begin save
    try await news.save(saveClass: Story.self, jsonData: body, update: true)
    // Documentation: end save
    let story = try #require(try news.fetchObject(ofType: Story.self, forPrimaryKey: 2))
    #expect(story.author?.name == "Ana" && story.published == nil)
    // Documentation: begin patch
    let patch = Data(#"{"id": 2, "title": "Heavy rain"}"#.utf8)
    let strict = JSONOptions(unknownKeys: .refuse)
    try await news.save(saveClass: Story.self, jsonData: patch, update: .modified, options: strict)
    // Documentation: end patch
    let patched = try #require(try news.fetchObject(ofType: Story.self, forPrimaryKey: 2))
    #expect(patched.title == "Heavy rain" && patched.author?.name == "Ana")
  }

  // Documentation: begin status
  func status(of error: any Error) -> Int {
    switch (error as? FiefError)?.code {
    case .malformedJSON, .invalidValue, .missingValue, .unknownProperty, .invalidCursor: 400
    case .objectNotFound: 404
    case .duplicatePrimaryKey, .duplicateValue, .deletionDenied, .validationFailed: 409
    case .storeFull, .writeQueueFull, .tooManyReaders: 503
    default: 500
    }
  }
  // Documentation: end status

  @Test func errorsSayWhereTheDocumentIsWrong() async throws {
    let strict = JSONOptions(unknownKeys: .refuse)
    for (text, code, path) in [
      (#"[{"id": 1, "tags": [5]}]"#, 400, "$[0].tags[0]"), (#"[{"id": 1, "colour": 1}]"#, 400, "$[0].colour"),
      ("{", 400, nil),
    ] {
      let error = await #expect(throws: FiefError.self) {
        try await news.save(saveClass: Story.self, jsonData: Data(text.utf8), update: true, options: strict)
      }
      #expect(error.map(status) == code && (path == nil || error?.path == path), "\(text)")
    }
    #expect(try news.count(Story.self) == 0)
  }

  // Documentation: begin pages
  struct StoryPage: Codable {
    struct Line: Codable {
      var id: Int
      var title: String
    }
    var stories: [Line]
    var next: String?
  }

  func page(after cursor: String?) throws -> StoryPage {
    let stories = try news.objects(Story.self).sorted(byKeyPath: \.title)
    let page = try stories.page(20, after: cursor.map { try QueryCursor(text: $0) })
    return StoryPage(
      stories: page.objects.map { StoryPage.Line(id: $0.id, title: $0.title) },
      next: page.hasMore ? page.end?.text : nil
    )
  }
  // Documentation: end pages

  @Test func pagesGoOnByTheirCursors() throws {
    try news.saveAndWait(
      entities: (0..<45).map { Story(value: ["id": $0, "title": "Story \($0 % 7)"] as [String: Any]) }
    )
    var found: [Int] = []
    var cursor: String?
    repeat {
      let page = try page(after: cursor)
      found += page.stories.map(\.id)
      cursor = page.next
    } while cursor != nil
    #expect(found.count == 45 && Set(found).count == 45)
    let error = #expect(throws: FiefError.self) { try page(after: "nonsense") }
    #expect(error.map(status) == 400)
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("JSONAndHTTP", as: #filePath) }
}
