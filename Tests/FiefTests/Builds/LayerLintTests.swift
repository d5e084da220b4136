import Testing

/// `scripts/lint-layers`, a part of `make lint`, finds uses between folders of `Fief` that point upward.
@Suite("The layer rule of make lint")
struct LayerLintTests {
  private let script = LintScript(name: "lint-layers")

  /// A tree of three layers, of which the highest declares what the cases use.
  private func tree(_ files: [String: String], allowed: String = "") -> [String: String] {
    let high = [
      "@usableFromInline", "package final class High { let low = Low() }",
      "func climbUp() {}",
      "private struct Hidden {}",
      "extension Low {", "  var highestPlace: Int { 1 }", "  public func reachTheTop(from place: Int) {}",
      "}", "",
    ]
    let rows = ["`LMDB` | bytes", "`Fief/Low` | a", "`Fief/Middle` | b", "`Fief/High` | c"]
    let base = [
      "docs/architecture.md": rows.map { "| \($0) |\n" }.joined(),
      "scripts/lint-layers.allowed": "# The exceptions.\n" + allowed,
      "Sources/Fief/Low/Low.swift": "public struct Low {}\n",
      "Sources/Fief/Middle/Middle.swift": "final class Middle { let low = Low() }\n",
      "Sources/Fief/High/High.swift": high.joined(separator: "\n"),
    ]
    return base.merging(files) { $1 }
  }

  @Test(
    "A planted use upward is found with its file and symbol",
    arguments: [
      ("High", "struct Planted { let high: High? }"),
      ("High", "struct Planted { let text = \"High\"; func high() { _ = High() } // why"),
      ("climbUp", "func planted() { climbUp() }"),
      ("highestPlace", "func planted(low: Low) -> Int { low.highestPlace }"),
      ("reachTheTop", "func planted(low: Low) { low.reachTheTop(from: 1) }"),
    ]
  )
  func planted(symbol: String, line: String) throws {
    let path = "Sources/Fief/Middle/Deeper/Planted.swift"
    let (status, output) = try script.run(with: tree([path: line + "\n"]))
    #expect(status == 1)
    #expect(output.contains("\(path): Middle -> High: \(symbol)\n"), "\(output)")
  }

  @Test(
    "Uses downward, texts, comments and names of several folders are not",
    arguments: [
      "struct Planted { let low: Low, middle: Middle }",
      "/// What ``High`` has.\nstruct Planted { let text = \"High\" }",
      "let text = \"\"\"\n  High\n  \"\"\"",
      "struct Planted {\n  enum High {}\n  let high: High?\n}",
      "struct Hidden {}\nstruct Planted { let hidden: Hidden? }",
      "struct Planted {\n  var highestPlace = 1\n  func place(_ other: Planted) -> Int { other.highestPlace }\n}",
      "func planted(climbUp: Bool) { planted(climbUp: true) }",
    ]
  )
  func clean(text: String) throws {
    let (status, output) = try script.run(with: tree(["Sources/Fief/Middle/Planted.swift": text + "\n"]))
    #expect(status == 0 && output.isEmpty, "\(output)")
  }

  @Test("A folder without a row, and a file without a folder, are failures")
  func unknownFolder() throws {
    let (status, output) = try script.run(
      with: tree(["Sources/Fief/Other/A.swift": "struct A {}\n", "Sources/Fief/B.swift": "struct B {}\n"])
    )
    #expect(status == 1)
    #expect(output.contains("Sources/Fief/Other: is not in the table"), "\(output)")
    #expect(output.contains("Sources/Fief/B.swift: is in no folder"), "\(output)")
  }

  @Test("An exception allows its file, and is a failure where nothing needs it")
  func exceptions() throws {
    let path = "Sources/Fief/Middle/Planted.swift"
    let files = [path: "struct Planted { let high: High? }\n"]
    let allowed = try script.run(with: tree(files, allowed: "Middle -> High \(path)\n"))
    #expect(allowed.status == 0 && allowed.output.isEmpty, "\(allowed.output)")
    let others = try script.run(with: tree(files, allowed: "Low -> High \(path)\n"))
    #expect(others.status == 1)
    #expect(others.output.contains("\(path): Middle -> High: High\n"), "\(others.output)")
    #expect(others.output.contains("Low -> High \(path): is no use any more"), "\(others.output)")
  }

  @Test("This checkout has none but the exceptions") func checkout() throws {
    let (status, output) = try script.run()
    #expect(status == 0, "\(output)")
  }
}
