import Fief
import Foundation
import Testing

@testable import FiefCore

@Suite("Text form: documentation", .timeLimit(.minutes(20))) struct TextDocumentationTests {
  private static let page = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Fief/Fief.docc/QueryLanguage.md")

  @Test("Every example of the page is a query, and those beside each other are the same") func examples()
    throws
  {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let section = try #require(
      page.split(separator: "## Examples").last?.split(separator: "## Grammar").first
    )
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count >= 18)
    var count = 0
    for row in rows {
      let cell = try #require(row.split(separator: " | ").first)
      for text in cell.split(separator: "`").map({ String($0) }) where !["| ", ", "].contains(text) {
        count += 1
        #expect(throws: Never.self, "\(text)") {
          let query = try QueryTextForm.parse(text, type: "Example", schema: TextSchema.schema)
          let again = QueryPrinter.text(of: query)
          #expect(
            try QueryTextForm.parse(again, type: "Example", schema: TextSchema.schema) == query,
            "\(text): \(again)"
          )
        }
      }
    }
    #expect(count >= 25)
  }

  @Test("The page names the limits, the keywords and the functions that there are") func names() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let words = QueryKeyword.reserved.union(QueryKeyword.clauses).union(QueryKeyword.tests)
    for word in words.union(QueryKeyword.quantifiers.keys) {
      #expect(page.contains("\"\(word)\"") || page.contains("\"\(word.lowercased())\""), "\(word)")
    }
    #expect(page.contains("\(QueryParser.deepest) levels"))
    #expect(page.contains("\(QueryParser.mostOperators) arithmetic"))
    #expect(page.contains("\(QueryParser.longestPath) steps"))
    #expect(page.contains("\(QueryLowering.deepest) collections"))
  }
}
