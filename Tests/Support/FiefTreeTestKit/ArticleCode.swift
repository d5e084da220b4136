import Foundation
import Testing

/// The code of articles, which stands between marks in the tests that run it.
package enum ArticleCode {
  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/FiefTree/FiefTree.docc").standardized
  }

  package static func text(of article: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(article + ".md"), encoding: .utf8)
  }

  /// The blocks of code of a language.
  package static func blocks(of text: String, _ language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
  }

  /// Expects that the articles have the marked parts of a file, and no other code in Swift.
  package static func check(_ articles: [String], against file: String, parts count: Int) throws {
    let text = try articles.map { try self.text(of: $0) }.joined(separator: "\n")
    let lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
    var parts: [String] = []
    for (start, line) in lines.enumerated()
    where line.drop(while: { $0 == " " }).hasPrefix("// Documentation: begin ") {
      let end = try #require(lines[start...].firstIndex { $0.contains("// Documentation: end ") })
      let indentation = line.prefix { $0 == " " }.count
      parts.append(lines[(start + 1)..<end].map { String($0.dropFirst(indentation)) }.joined(separator: "\n"))
    }
    #expect(parts.count == count)
    for part in parts { #expect(text.contains(part), "\(part)") }
    for block in blocks(of: text, "swift") {
      let code = block.replacingOccurrences(of: "import Fief\nimport FiefTree\n\n", with: "")
      #expect(parts.contains(code), "\(code)")
    }
  }
}
