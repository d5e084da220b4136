import ChildProcesses
import Foundation
import TestEffort
import Testing

/// `scripts/docs-links`, a part of `make docs`, finds links that lead nowhere.
@Suite struct DocumentationLinksTests {
  private func run(_ arguments: [String]) throws -> (status: Int32?, output: String) {
    let script = LintScript.root.appending(path: "scripts/docs-links").path(percentEncoded: false)
    let outcome = try ChildProcess.run(script, arguments, errors: .output)
    return (outcome.status, outcome.output)
  }

  /// Files, a site among them, in a directory that is removed.
  private func withTree(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "fief-links-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    for (path, text) in files {
      let file = directory.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
    }
    try body(directory.path(percentEncoded: false))
  }

  private static let tree = [
    "README.md":
      "[the design](docs/design.md#on-disk-and-in-memory), `[code](x.md)`, [web](https://example.org)\n",
    "docs/design.md":
      "# Design\n\n## On disk, and in memory\n\n[back](../README.md)\n\n```\n[x](y.md)\n```\n",
    "site/index.html": #"<a href="documentation/fief/">Fief</a>"#,
    "site/documentation/fief/index.html": "",
    "site/data/documentation/fief.json": #"{"a":{"url":"\/documentation\/fief\/object"}}"#,
    "site/data/documentation/fief/object.json": #"{"a":{"url":"\/documentation\/fief"}}"#,
  ]

  @Test func linksThatLeadSomewhereAreFine() throws {
    try withTree(Self.tree) { directory in
      let (status, output) = try run([directory + "/site", directory])
      #expect(status == 0 && output == "")
    }
  }

  @Test(arguments: [
    ("README.md", "[gone](docs/gone.md)", "docs/gone.md"),
    ("README.md", "[gone](docs/design.md#gone)", "#gone"),
    ("docs/more.md", "[gone](README.md)", "README.md"),
    (
      "site/data/documentation/fief.json", #"{"url":"\/documentation\/fief\/gone"}"#,
      "/documentation/fief/gone"
    ),
    ("site/index.html", #"<a href="documentation/gone/">"#, "documentation/gone"),
  ])
  func deadLinksAreFound(path: String, text: String, link: String) throws {
    try withTree(Self.tree.merging([path: text + "\n"]) { $1 }) { directory in
      let (status, output) = try run([directory + "/site", directory])
      #expect(status == 1 && output.contains(link), "\(output)")
    }
  }

  @Test(.enabled(if: TestEffort.isLong, "make docs checks it"))
  func theRepositoryHasNone() throws {
    let (status, output) = try run([])
    #expect(status == 0, "\(output)")
  }
}
