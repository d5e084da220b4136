import Foundation
import Testing

/// `scripts/lint-words`, a part of `make lint`, finds words that leave the reader to guess.
@Suite("The word rule of make lint")
struct WordLintTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  private func run(in directory: URL) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = Self.root.appending(path: "scripts/lint-words")
    process.arguments = [directory.path(percentEncoded: false)]
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  private func withTree(_ files: [String: String], _ body: (URL) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "fief-lint-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    for (path, text) in files {
      let file = directory.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
    }
    try body(directory)
  }

  @Test(
    "Planted words are found in comments, documents and names of tests",
    arguments: [
      ("Sources/Fief/A.swift", "/// Wakes whoever waits."),
      ("Sources/Fief/B.swift", "let text = \"Nobody has it.\""),
      ("Sources/Fief/Fief.docc/C.md", "A state that is told of."),
      ("Tests/FiefTests/D.swift", "// The index is made anew."),
      ("Tests/FiefTests/E.swift", "@Test(\"hears of commits\") func commits() {}"),
      ("docs/decisions/0001-f.md", "The object is let go."),
      ("README.md", "Somebody reads this."),
      ("scripts/g", "# waits for somebody"),
    ]
  )
  func planted(path: String, line: String) throws {
    try withTree([path: "\n" + line + "\n"]) { directory in
      let (status, output) = try run(in: directory)
      #expect(status == 1)
      #expect(output.contains("\(path):2:"), "\(output)")
    }
  }

  @Test("Data of tests, other words and hidden directories are not")
  func clean() throws {
    let files = [
      "Tests/FiefTests/A.swift": "let name = \"nobody\"\n",
      "Sources/Fief/B.swift": "/// Letters go to the manewer; what is told is often let.\n",
      "Sources/.build/C.swift": "// whoever\n",
    ]
    try withTree(files) { directory in
      let (status, output) = try run(in: directory)
      #expect(status == 0 && output.isEmpty, "\(output)")
    }
  }

  @Test("This checkout has none") func checkout() throws {
    let (status, output) = try run(in: Self.root)
    #expect(status == 0, "\(output)")
  }
}
