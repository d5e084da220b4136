import Fief

/// The path of rules: names, and `$names` for all other names at their levels.
package struct RulePattern: Sendable {
  package private(set) var names: [String] = []

  package init() {}

  /// Creates the path of the rule of a group.
  ///
  /// - Parameter name: a valid name.
  package init(group name: String) { names = [name] }

  /// Parses names that are joined by slashes. Empty parts are dropped.
  package init(_ text: String) throws(RulePathError) {
    for part in text.utf8.split(separator: UInt8(ascii: "/")) { try append(String(part) ?? "") }
  }

  mutating func append(_ name: String) throws(RulePathError) {
    guard names.count < PlaceName.most else {
      throw RulePathError("A path has more than \(PlaceName.most) names.")
    }
    if name.hasPrefix("$") {
      guard Self.isWildcard(name) else {
        throw RulePathError("A name with '$' has letters, digits and '_' only, and begins with no digit.")
      }
      guard level(of: name) == nil else {
        throw RulePathError("A path has the same name with '$' twice.")
      }
    } else if !PlaceName.isValid(name) {
      throw RulePathError("A name is empty, too long, or contains a character that names must not contain.")
    }
    names.append(name)
  }

  func appending(_ name: String) throws(RulePathError) -> RulePattern {
    var result = self
    try result.append(name)
    return result
  }

  private static func isWildcard(_ name: String) -> Bool {
    let letters = name.utf8.dropFirst()
    guard let first = letters.first, RuleLexer.isLetter(first), name.utf8.count <= PlaceName.longest else {
      return false
    }
    return letters.allSatisfy { RuleLexer.isLetter($0) || RuleLexer.isDigit($0) }
  }

  /// Returns the level of a `$name`, which may be given without the dollar sign.
  package func level(of name: String) -> Int? {
    let name = name.hasPrefix("$") ? name : "$" + name
    return names.firstIndex { $0.hasSameBytes(as: name) }
  }

  /// The names, joined by slashes.
  package var text: String { names.joined(separator: "/") }
}
