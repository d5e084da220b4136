import TestEffort
import Testing

/// `scripts/lint-words`, a part of `make lint`, finds words that leave the reader to guess.
@Suite("The word rule of make lint")
struct WordLintTests {
  private let script = LintScript(name: "lint-words")

  @Test("Planted words are found in comments, documents and names of tests")
  func planted() throws {
    let lines: [(path: String, line: String)] = [
      ("Sources/Fief/A.swift", "/// Wakes whoever waits."),
      ("Sources/Fief/B.swift", "let text = \"Nobody has it.\""),
      ("Sources/Fief/Fief.docc/C.md", "A state that is told of."),
      ("Tests/FiefTests/D.swift", "// The index is made anew."),
      ("Tests/FiefTests/E.swift", "@Test(\"hears of commits\") func commits() {}"),
      ("docs/decisions/0001-f.md", "The object is let go."),
      ("README.md", "Somebody reads this."),
      ("scripts/g", "# waits for somebody"),
    ]
    let files = Dictionary(uniqueKeysWithValues: lines.map { ($0.path, "\n" + $0.line + "\n") })
    let (status, output) = try script.run(with: files)
    #expect(status == 1)
    for (path, _) in lines { #expect(output.contains("\(path):2:"), "\(output)") }
  }

  @Test("Data of tests, other words and hidden directories are not")
  func clean() throws {
    let files = [
      "Tests/FiefTests/A.swift": "let name = \"nobody\"\n",
      "Sources/Fief/B.swift": "/// Letters go to the manewer; what is told is often let.\n",
      "Sources/.build/C.swift": "// whoever\n",
    ]
    let (status, output) = try script.run(with: files)
    #expect(status == 0 && output.isEmpty, "\(output)")
  }

  @Test("This checkout has none", .enabled(if: TestEffort.isLong, "make lint checks it"))
  func checkout() throws {
    let (status, output) = try script.run()
    #expect(status == 0, "\(output)")
  }
}
