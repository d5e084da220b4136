import Foundation
import Testing

/// The recipes in docs/recipes.md name files that exist, in a few steps each.
@Suite struct RecipesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardized

  /// The titles of the recipes and their texts.
  private static func recipes(_ page: String) -> [(title: String, text: String)] {
    page.components(separatedBy: "\n## ").dropFirst().map { section in
      let lines = section.split(separator: "\n", maxSplits: 1).map(String.init)
      return (lines.first ?? "", lines.last ?? "")
    }
  }

  /// The paths of files and folders between backquotes in a text.
  private static func paths(_ text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && ($0.element.contains("/") || $0.element.hasSuffix(".md")) }
      .map { String($0.element) }
  }

  private static func missing(_ text: String) -> [String] {
    paths(text).filter { !FileManager.default.fileExists(atPath: root.appendingPathComponent($0).path) }
  }

  @Test func theFilesOfTheRecipesExist() throws {
    let page = try String(contentsOf: Self.root.appendingPathComponent("docs/recipes.md"), encoding: .utf8)
    let recipes = Self.recipes(page)
    #expect(
      recipes.map(\.title) == [
        "A property type", "An index kind", "A query operator", "A verb", "An option", "An error",
        "A migration change",
      ]
    )
    #expect(Self.missing(page) == [])
    for recipe in recipes {
      let steps = recipe.text.split(separator: "\n").filter { $0.prefixMatch(of: #/[0-9]+\. /#) != nil }
      #expect((5...10).contains(steps.count), "\(recipe.title)")
      #expect(Self.paths(recipe.text).count >= 6, "\(recipe.title)")
    }
  }

  @Test func aPropertyTypeChangesEightFiles() throws {
    let page = try String(contentsOf: Self.root.appendingPathComponent("docs/recipes.md"), encoding: .utf8)
    let recipe = try #require(Self.recipes(page).first { $0.title == "A property type" })
    let begin = try #require(recipe.text.range(of: "\n1. ")?.lowerBound)
    let end = try #require(recipe.text.range(of: ". Optional: ")?.lowerBound)
    #expect(Set(Self.paths(String(recipe.text[begin..<end]))).count == 8)
  }

  @Test func aMissingFileIsFound() {
    #expect(
      Self.missing("Change `Sources/FiefCore/Gone.swift`, `docs/format.md` and `x = 1`.") == [
        "Sources/FiefCore/Gone.swift"
      ]
    )
  }
}
