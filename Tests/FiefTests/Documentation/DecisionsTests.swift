import Foundation
import Testing

/// Each decision in docs/decisions has a date and a status, and the list there has each decision.
@Suite struct DecisionsTests {
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../docs/decisions").standardized

  private static func text(of name: String) throws -> String {
    try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
  }

  private static func pages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix(".md") && $0 != "README.md" }.sorted()
  }

  /// The line of the list that a page asks for; nil where the page has no title, date or status in its first lines.
  static func row(of page: String, named name: String) -> String? {
    let pattern =
      #/^# (?<number>[0-9]+)\. (?<title>[^\n]+)\n\n- Date: (?<date>20[0-9]{2}-[0-9]{2}-[0-9]{2})\n- Status: (?<status>[^\n]+)\n\n/#
    guard let found = page.prefixMatch(of: pattern),
      name.prefix(4) == String(repeating: "0", count: max(0, 4 - found.number.count)) + found.number,
      ["accepted", "superseded by [", "proposed"].contains(where: found.status.hasPrefix)
    else { return nil }
    return "| [\(found.number)](\(name)) | \(found.title) | \(found.date) | \(found.status) |"
  }

  @Test func everyDecisionHasADateAndAStatus() throws {
    let pages = try Self.pages()
    #expect(pages.count > 50)
    let list = try Self.text(of: "README.md").split(separator: "\n").filter { $0.hasPrefix("| [") }.map(
      String.init
    )
    let rows = try pages.map { page in
      try #require(
        Self.row(of: Self.text(of: page), named: page),
        "\(page) lacks a title, a date or a status"
      )
    }
    #expect(list == rows)
  }

  @Test func aPageWithoutThemIsFound() {
    let page = "# 7. A title\n\n- Date: 2026-11-20\n- Status: accepted\n\nText.\n"
    #expect(
      Self.row(of: page, named: "0007-title.md") == "| [7](0007-title.md) | A title | 2026-11-20 | accepted |"
    )
    #expect(Self.row(of: page, named: "0008-title.md") == nil)
    for line in ["- Date: 2026-11-20\n", "- Status: accepted\n", "accepted", "2026-"] {
      #expect(Self.row(of: page.replacingOccurrences(of: line, with: ""), named: "0007-title.md") == nil)
    }
  }
}
