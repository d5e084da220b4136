import Foundation
import Testing

/// The code of the articles, which the tests compile and run: it stands between two marks in a test.
enum ArticleCode {
  /// The text of an article.
  static func article(_ name: String) throws -> String {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let article = here.appendingPathComponent("../../../Sources/Fief/Fief.docc/\(name).md").standardized
    return try String(contentsOf: article, encoding: .utf8)
  }

  /// The marked lines of a test, without the indentation of the mark.
  static func part(_ name: String, of path: String) throws -> String {
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex { $0.hasSuffix("// Documentation: begin \(name)") })
    let end = try #require(lines.firstIndex { $0.hasSuffix("// Documentation: end \(name)") })
    try #require(begin + 1 < end)
    let indentation = lines[begin].prefix { $0 == " " }.count
    return lines[(begin + 1)..<end].map { $0.dropFirst(indentation) }.joined(separator: "\n")
  }
}
