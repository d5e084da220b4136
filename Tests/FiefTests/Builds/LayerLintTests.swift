import Testing

/// `scripts/lint-layers`, a part of `make lint`, finds uses between folders of `FiefCore` that point upward.
@Suite("The layer rule of make lint")
struct LayerLintTests {
  private let script = LintScript(name: "lint-layers")

  /// A tree of three layers, of which the highest declares what the cases use.
  private func tree(_ files: [String: String]) -> [String: String] {
    let high = [
      "package final class High { let low = Low() }",
      "func climbUp() {}",
      "extension Low {", "  var top: Int { 1 }", "  func reach(_ place: Int) {}", "}",
      "extension Low: CustomStringConvertible { var description: String { \"\" } }", "",
    ]
    let rows = ["`LMDB` | bytes", "`FiefCore/Low` | a", "`FiefCore/Middle` | b", "`FiefCore/High` | c"]
    let base = [
      "docs/architecture.md": rows.map { "| \($0) |\n" }.joined(),
      "Sources/FiefCore/Low/Low.swift": "struct Low { func reach(_ place: Int, from: Int) {} }\n",
      "Sources/FiefCore/Middle/Middle.swift": "final class Middle { let low = Low() }\n",
      "Sources/FiefCore/High/High.swift": high.joined(separator: "\n"),
    ]
    return base.merging(files) { $1 }
  }

  @Test(
    "A planted use upward is found with its file: of types, functions, members, overloads and conformances",
    arguments: [
      ("'High'", "struct Planted { let high: High? }"),
      ("'climbUp'", "func planted() { climbUp() }"),
      ("'top'", "func planted(low: Low) -> Int { low.top }"),
      ("'from'", "func planted(low: Low) { low.reach(1) }"),
      ("CustomStringConvertible", "func planted(low: Low) -> any CustomStringConvertible { low }"),
    ]
  )
  func planted(symbol: String, line: String) throws {
    let path = "Sources/FiefCore/Middle/Deeper/Planted.swift"
    let (status, output) = try script.run(with: tree([path: line + "\n"]))
    #expect(status == 1)
    let lines = output.split(separator: "\n")
    #expect(lines.first == "Sources/FiefCore/Middle uses what is above it, or does not compile:", "\(output)")
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(path) && $0.contains(symbol) }, "\(output)")
    #expect(lines.count > 1)
  }

  @Test(
    "Uses downward, texts, comments and nested names are not",
    arguments: [
      "struct Planted { let low: Low, middle: Middle }",
      "/// What ``High`` has.\nstruct Planted { let text = \"High\" }",
      "struct Planted {\n  enum High {}\n  let high: High?\n}",
      "struct Planted {\n  var top = 1\n  func place(_ other: Planted) -> Int { other.top }\n}",
    ]
  )
  func clean(text: String) throws {
    let (status, output) = try script.run(with: tree(["Sources/FiefCore/Middle/Planted.swift": text + "\n"]))
    #expect(status == 0 && output.isEmpty, "\(output)")
  }

  @Test("A folder without a row, a row without a folder, and a file without a folder are failures")
  func unknownFolder() throws {
    let files = [
      "Sources/FiefCore/Other/A.swift": "struct A {}\n", "Sources/FiefCore/B.swift": "struct B {}\n",
    ]
    let rows = [
      "| `FiefCore/Low` | a |", "| `FiefCore/Middle` | b |", "| `FiefCore/Nowhere` | c |",
      "| `FiefCore/High` | d |", "",
    ]
    let (status, output) = try script.run(
      with: tree(files).merging(["docs/architecture.md": rows.joined(separator: "\n")]) { $1 }
    )
    #expect(status == 1)
    #expect(output.contains("Sources/FiefCore/Other: is not in the table"), "\(output)")
    #expect(output.contains("Sources/FiefCore/B.swift: is in no folder"), "\(output)")
    #expect(output.contains("there is no Sources/FiefCore/Nowhere"), "\(output)")
  }
}
