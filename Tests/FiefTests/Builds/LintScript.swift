import ChildProcesses
import Foundation

/// A script of `make lint`, as tests run it: in this checkout, or in a tree of planted files.
struct LintScript {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  let name: String

  func run(in directory: URL = Self.root) throws -> (status: Int32?, output: String) {
    let script = Self.root.appending(path: "scripts/\(name)").path(percentEncoded: false)
    let outcome = try ChildProcess.run(script, [directory.path(percentEncoded: false)], errors: .output)
    return (outcome.status, outcome.output)
  }

  /// Runs the script in a temporary tree.
  ///
  /// - Parameter files: the texts of the tree's files, by their paths.
  func run(with files: [String: String]) throws -> (status: Int32?, output: String) {
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
    return try run(in: directory)
  }
}
