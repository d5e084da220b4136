import FiefRules
import Foundation

extension FuzzTarget {
  /// Regular expressions of rules: what the checker accepts is compiled, and means the same in a group and in capitals.
  ///
  /// The pattern and a text are divided by a line break.
  static let treePatterns = FuzzTarget(
    name: "tree-patterns",
    longest: 1500,
    seeds: {
      ["^[a-c]+\\.(x|yy)*$\nabc.xyy", "\\d{2,3}-\\w+\n12-ab", "a?b*c+[^d]\nbbcce", "[\\w.-]@\\S\\W\na@b!"].map
      { Array($0.utf8) }
    },
    run: { input, defect in
      let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
      let (pattern, text) = (
        String(decoding: parts[0], as: UTF8.self),
        parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
      )
      try PatternChecks.checkLiteral(text)
      guard let matcher = try PatternChecks.compile(pattern) else { return }
      if defect.isPlanted, pattern.contains("{0}") { throw FuzzFinding("planted: \(pattern)") }
      let matches = try matcher.matches(text)
      try require(try matcher.matches(text) == matches, "two results: \(pattern)")
      if let lenient = try PatternChecks.compile(pattern, ignoresCase: true), !pattern.contains("[^") {
        // Capitals of a negated category or class may be excluded.
        let hasNegation = ["\\S", "\\W", "\\D"].contains { pattern.contains($0) }
        let result = try lenient.matches(text)
        try require(!matches || result || hasNegation, "not without its case: \(pattern)")
      }
      let isAnchored = pattern.hasPrefix("^") || pattern.hasSuffix("$")
      if !isAnchored, let group = try PatternChecks.compile("(" + pattern + ")") {
        try require(try group.matches(text) == matches, "another result in a group: \(pattern)")
      }
      if !isAnchored, let whole = try PatternChecks.compile("^.*(" + pattern + ")") {
        let result = try whole.matches(text)
        try require(!result || matches, "a result only after other characters: \(pattern)")
      }
    }
  )
}

private enum PatternChecks {
  /// Compiles a pattern, or returns `nil` if it is refused.
  static func compile(_ pattern: String, ignoresCase: Bool = false) throws -> RuleMatcher? {
    do throws(RuleSyntaxError) { return try RuleMatcher.compile(pattern, ignoresCase: ignoresCase) } catch {
      let isInside = error.offset >= 0 && error.offset <= pattern.utf8.count
      try require(isInside && !error.message.isEmpty, "no place: \(pattern)")
      return nil
    }
  }

  /// Every text matches its own characters, and a longer text does not.
  static func checkLiteral(_ text: String) throws {
    let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
      let isLetter =
        scalar.properties.isAlphabetic || !scalar.isASCII || ("0"..."9").contains(scalar)
        || scalar.value <= 0x20
        || scalar.value == 0x7F
      if !isLetter { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    guard let matcher = try compile("^" + escaped + "$") else {
      return try require(escaped.utf8.count + 2 > 1024, "a text is refused: \(text)")
    }
    try require(try matcher.matches(text), "a text does not match itself: \(text)")
    try require(try !matcher.matches(text + "x"), "a text matches a longer one: \(text)")
  }
}
