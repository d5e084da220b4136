import TestEffort
import Testing

/// `scripts/lint-sentences`, a part of `make lint`, counts constructions that make a reader go back.
@Suite("The sentence rule of make lint")
struct SentenceLintTests {
  private let script = LintScript(name: "lint-sentences")

  /// Ten lines of comment, of which the first is given.
  private func text(_ comment: String) -> String {
    let lines = [comment] + Array(repeating: "/// A plain line.", count: 9) + ["let a = 1", ""]
    return lines.joined(separator: "\n")
  }

  private func tree(_ comment: String, budget: Int) -> [String: String] {
    [
      "Sources/Other/A.swift": text(comment),
      "scripts/sentence-budgets": ". 0\nSources/Other \(budget)\n",
    ]
  }

  @Test("Planted constructions are counted")
  func planted() throws {
    let comments = [
      "/// The key is that of the parent.", "/// One that is missing is an error.",
      "/// Nil where there is no store.",
      "/// Returns what is stored.", "// None of these is kept.",
    ]
    let folders = comments.indices.map { "Sources/Other\($0)" }
    func tree(budget: Int) -> [String: String] {
      var files = ["scripts/sentence-budgets": ". 0\n" + folders.map { "\($0) \(budget)\n" }.joined()]
      for (folder, comment) in zip(folders, comments) { files[folder + "/A.swift"] = text(comment) }
      return files
    }
    let (status, output) = try script.run(with: tree(budget: 0))
    #expect(status == 1)
    for folder in folders {
      #expect(output.contains("\(folder): 100 per 1,000 lines, and the budget is 0"), "\(output)")
    }
    #expect(try script.run(with: tree(budget: 100)).status == 0)
  }

  @Test(
    "Plain sentences and code are not",
    arguments: ["/// The key of the parent.", "/// `that of` is code."]
  )
  func clean(comment: String) throws {
    let (status, output) = try script.run(with: tree(comment, budget: 0))
    #expect(status == 0, "\(output)")
  }

  @Test("A budget that is too large has to be lowered") func lowered() throws {
    let (status, output) = try script.run(with: tree("/// A plain line.", budget: 50))
    #expect(status == 1 && output.contains("lower the budget from 50 to 0"), "\(output)")
  }

  @Test("This checkout fits", .enabled(if: TestEffort.isLong, "make lint checks it"))
  func checkout() throws {
    let (status, output) = try script.run()
    #expect(status == 0, "\(output)")
  }
}
