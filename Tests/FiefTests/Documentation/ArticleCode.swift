import Foundation
import Testing

/// The code of the articles, which the tests compile and run: it stands between two marks in a test.
enum ArticleCode {
  /// The text of an article.
  ///
  /// - Parameter module: the module whose catalogue has it.
  static func article(_ name: String, of module: String = "Fief") throws -> String {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let article = here.appendingPathComponent("../../../Sources/\(module)/\(module).docc/\(name).md")
      .standardized
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

  /// Compares the Swift code of an article with the marked parts of a test: each block of the article is one of the parts,
  /// so that it is compiled, and each part is in the article.
  ///
  /// A block that begins with `// Before` shows the code of another library, and one that begins with `// Package.swift` a
  /// manifest; these are not compiled.
  static func expectSame(_ name: String, of module: String = "Fief", as path: String) throws {
    let source = try String(contentsOfFile: path, encoding: .utf8)
    let mark = "// Documentation: begin "
    let names = source.split(separator: "\n").compactMap { line in
      line.range(of: mark).map { String(line[$0.upperBound...]) }
    }
    let parts = try Set(names.map { withoutImports(try part($0, of: path)) })
    let blocks = Set(Self.blocks(of: try article(name, of: module)))
    #expect(parts.subtracting(blocks) == [], "parts of the test that \(name).md does not show")
    #expect(blocks.subtracting(parts) == [], "code of \(name).md that no test compiles")
    #expect(!parts.isEmpty)
  }

  /// A block of code without the imports at its top, which the test has at the top of its file.
  private static func withoutImports(_ block: String) -> String {
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
    guard block.hasPrefix("import ") else { return block }
    return lines.drop { $0.isEmpty || $0.hasPrefix("import ") || $0.hasPrefix("@testable import ") }
      .joined(separator: "\n")
  }

  /// The blocks of Swift code in an article, but for those that are not compiled.
  private static func blocks(of text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst().compactMap { rest in
      rest.range(of: "\n```").map { String(rest[..<$0.lowerBound]) }
    }
    .filter { !$0.hasPrefix("// Before") && !$0.hasPrefix("// Package.swift") }
    .map(Self.withoutImports)
  }
}
