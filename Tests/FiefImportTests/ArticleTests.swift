import Fief
// Documentation: begin import
import FiefImport
// Documentation: end import
import FiefTesting
import Foundation
import Testing

/// The code of the module's article: it compiles, runs, and is what the article shows.
struct ArticleTests {
  private func feed(_ year: String) throws -> FeedFile {
    try FeedFile("{\"isbn\": \"1\", \"year\": \(year)}\n")
  }

  @Test func theExamplesRun() async throws {
    let library = try StoreFixture(LibraryRepository())
    let right = try feed("1815")
    let file = right.url
    // Documentation: begin overview
    let result = try await library.importObjects(from: file, of: Book.self)
    print(result.inserted, "books")
    for problem in result.problems { print(problem) }
    // Documentation: end overview
    // Documentation: begin problems
    for problem in result.problems where problem.error.property == "year" {
      print("line \(problem.line): \(problem.error.message)")
    }
    // Documentation: end problems
    try expectCount(of: library, Book.self, 1)
    let nightlyFeed = Parts("isbn,price\n1,4.5\n", size: 4)
    // Documentation: begin prices
    let prices = ImportOptions(format: .csv, onConflict: .merge)
    try await library.importObjects(from: nightlyFeed, of: Book.self, options: prices)
    // Documentation: end prices
    try expectContents(of: library, Book.self, \.price, equal: [4.5])
    try expectContents(of: library, Book.self, \.year, equal: [1815])
  }

  @Test func theOptionsRun() async throws {
    let library = try StoreFixture(LibraryRepository())
    try await stop(library, try feed("\"x\"").url)
    try expectCount(of: library, Book.self, 0)
    try await resume(library, try feed("1815").url, UUID())
    try expectCount(of: library, Book.self, 1)
  }

  private func stop(_ library: StoreFixture<LibraryRepository>, _ file: URL) async throws {
    // Documentation: begin stop
    var options = ImportOptions()
    options.stopsAtProblem = true
    do { try await library.importObjects(from: file, of: Book.self, options: options) } catch let problem
      as ImportProblem
    {
      print("line \(problem.line) is wrong:", problem.error.property ?? "", problem.error.message)
    }
    // Documentation: end stop
  }

  private func resume(_ library: StoreFixture<LibraryRepository>, _ file: URL, _ feedID: UUID) async throws {
    // Documentation: begin resume
    let options = ImportOptions(id: feedID)
    try await library.importObjects(from: file, of: Book.self, options: options)
    // Documentation: end resume
  }

  @Test func theArticleShowsThem() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = here.appendingPathComponent("../../Sources/FiefImport/FiefImport.docc/FiefImport.md")
      .standardized
    let article = try String(contentsOf: path, encoding: .utf8)
    let lines = try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n")
    var parts: [String] = []
    for (start, line) in lines.enumerated()
    where line.drop(while: { $0 == " " }).hasPrefix("// Documentation: begin ") {
      let end = try #require(lines[start...].firstIndex { $0.contains("// Documentation: end ") })
      let indentation = line.prefix { $0 == " " }.count
      parts.append(lines[(start + 1)..<end].map { String($0.dropFirst(indentation)) }.joined(separator: "\n"))
    }
    #expect(parts.count == 6)
    for part in parts { #expect(article.contains(part), "\(part)") }
    let blocks = article.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
    for block in blocks {
      let code = block.replacingOccurrences(of: "import FiefImport\n\n", with: "")
      #expect(parts.contains(code), "\(code)")
    }
  }
}
