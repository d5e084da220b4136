import Fief
import FiefRules

/// The names from the root of a tree to a place.
struct TreePath: Sendable, Hashable {
  /// The maximum number of names.
  static let mostNames = PlaceName.most

  private(set) var names: [String]

  /// The path of the root.
  init() { names = [] }

  /// - Parameter names: valid names.
  init(names: [String]) { self.names = names }

  /// - Parameter text: the ``text`` of a path.
  init(valid text: String) {
    names = text.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
  }

  /// Parses the text of a path below another one. Empty parts are dropped.
  ///
  /// - Throws: `FiefError` of code `invalidTreeKey` or `treeTooDeep`.
  init(_ text: String, below parent: TreePath = TreePath()) throws(FiefError) {
    names = parent.names
    if !text.isEmpty, !text.utf8.contains(UInt8(ascii: "/")) {
      // The text is one name.
      try TreeName.check(text, path: parent.names.isEmpty ? text : parent.text + "/" + text)
      names.append(text)
      try checkDepth()
      return
    }
    for part in text.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(part) ?? ""
      try TreeName.check(name, path: parent.names.isEmpty ? text : parent.text + "/" + text)
      names.append(name)
    }
    try checkDepth()
  }

  /// - Throws: `FiefError` of code `treeTooDeep`.
  func checkDepth() throws(FiefError) {
    if names.count > Self.mostNames {
      throw FiefError(
        .treeTooDeep,
        "A path has more than \(Self.mostNames) names.",
        details: ["path: " + HiddenValue.text(text)]
      )
    }
  }

  /// The names, joined by slashes.
  var text: String { names.count == 1 ? names[0] : names.joined(separator: "/") }

  /// The names as a place that writes note and observations have.
  var place: [ExactText] { names.map { ExactText($0) } }

  func appending(_ name: String) -> TreePath { TreePath(names: names + [name]) }

  /// Whether a path leads to this one, or is the same.
  func hasPrefix(_ other: TreePath) -> Bool {
    names.count >= other.names.count && zip(names, other.names).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  /// Returns whether the path comes before another one in the order of a tree.
  func precedes(_ other: TreePath) -> Bool {
    for (first, second) in zip(names, other.names) where !first.hasSameBytes(as: second) {
      return TreeName.precedes(first, second)
    }
    return names.count < other.names.count
  }

  static func == (first: TreePath, second: TreePath) -> Bool {
    first.names.count == second.names.count && first.hasPrefix(second)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(names.count)
    for name in names { hasher.combine(ExactText(name)) }
  }
}
