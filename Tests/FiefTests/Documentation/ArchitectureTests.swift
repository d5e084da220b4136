import Foundation
import Testing

/// The tours through the code in docs/architecture.md name files, types and functions that are there.
@Suite struct ArchitectureTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardized

  /// The names in the tours: what stands between backquotes in their numbered steps.
  private static func names() throws -> [String] {
    let page = try String(contentsOf: root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
    let tours = try #require(page.components(separatedBy: "\n## Three tours\n").dropFirst().first)
    let steps = (tours.components(separatedBy: "\n## ").first ?? "").split(separator: "\n")
      .filter { !$0.hasPrefix("`try ") }.joined(separator: "\n")
    return steps.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test func whatTheToursNameIsThere() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let paths = Set(files)
    let fileNames = Set(files.map { URL(fileURLWithPath: $0).lastPathComponent })
    var text = Data()
    for file in files where file.hasSuffix(".swift") && (file.hasPrefix("Fief") || file.hasPrefix("LMDB/")) {
      text.append(try Data(contentsOf: sources.appendingPathComponent(file)))
    }
    func has(_ words: String) -> Bool { text.range(of: Data(words.utf8)) != nil }
    let names = try Self.names()
    #expect(names.count > 60)
    var declared = 0
    for name in Set(names) where name != "Sources/" {
      if name.hasPrefix("Fief") && name.contains("/") || name.hasPrefix("LMDB/") {
        #expect(paths.contains(name), "\(name) is no file or folder of Sources")
      } else if name.hasSuffix(".swift") {
        #expect(fileNames.contains(name), "\(name) is no file of Sources")
      } else if let first = name.first, first.isUppercase {
        let parts = name.prefix { $0 != "(" }.split(separator: ".").filter { $0 != "LMDB" }
        guard let type = parts.first else { continue }
        let isType = ["class", "struct", "enum", "protocol"].contains { has("\($0) \(type)") }
        #expect(isType, "\(type) is no type")
        guard parts.count > 1, let member = parts.last else { continue }
        declared += 1
        #expect(has("func \(member)(") || has("func \(member)<"), "\(name): there is no such function")
      }
    }
    #expect(declared > 15)
  }

  /// A name that a file follows in parentheses is declared in the file, on the whole page.
  @Test func filesContainWhatThePageNames() throws {
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("docs/architecture.md"),
      encoding: .utf8
    )
    let sources = Self.root.appendingPathComponent("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    var count = 0
    for match in page.matches(of: /`([\w.]+)(?:\([^`]*\))?`\s+(?:in |\()`([^`]+\.swift)`/) {
      let (name, file) = (match.1, match.2)
      let found = files.filter { $0 == file || $0.hasSuffix("/" + file) }
      let member = String(name.split(separator: ".").last ?? name)
      let keywords = member.first?.isUppercase == true ? "class|struct|enum|protocol" : "func|var"
      let declaration = try Regex("\\b(?:\(keywords)) \(member)\\b")
      let isDeclared = try found.contains { path in
        let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
        return text.contains(declaration)
      }
      #expect(isDeclared, "\(file) does not declare \(name)")
      count += 1
    }
    #expect(count > 20)
  }
}
