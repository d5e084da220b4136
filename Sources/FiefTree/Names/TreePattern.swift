import Fief

/// The paths of places that are alike: names, and variables that stand for any name, such as `messages/$room`.
struct TreePattern: Sendable, Hashable {
  enum Part: Sendable {
    case name(String)
    /// Any one name.
    case variable(String)
  }

  let parts: [Part]

  /// Parses the text of a pattern. Empty parts are dropped.
  ///
  /// - Throws: `FiefError` of code `invalidTreeKey` or `treeTooDeep`.
  init(_ text: String) throws(FiefError) {
    var parts: [Part] = []
    for part in text.utf8.split(separator: UInt8(ascii: "/")) {
      let isVariable = part.first == UInt8(ascii: "$")
      let name = String(isVariable ? part.dropFirst() : part) ?? ""
      try TreeName.check(name, path: text)
      parts.append(isVariable ? .variable(name) : .name(name))
    }
    self.parts = parts
    try TreePath(names: parts.map { _ in "" }).checkDepth()
  }

  /// Creates the pattern of one place.
  init(_ path: TreePath) { parts = path.names.map { .name($0) } }

  var text: String { parts.map(\.text).joined(separator: "/") }

  /// Whether a path is one of the places, leads to one of them, or is below one of them.
  func agrees(with path: TreePath) -> Bool { zip(path.names, parts).allSatisfy { $1.matches($0) } }

  func matches(_ path: TreePath) -> Bool { path.names.count == parts.count && agrees(with: path) }
}

extension TreePattern.Part: Hashable {
  var text: String {
    switch self {
    case .name(let name): name
    case .variable(let name): "$" + name
    }
  }

  func matches(_ name: String) -> Bool {
    switch self {
    case .name(let own): own.hasSameBytes(as: name)
    case .variable: true
    }
  }

  /// Variables are equal whatever their names are.
  static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.name(let first), .name(let second)): first.hasSameBytes(as: second)
    case (.variable, .variable): true
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .name(let name): hasher.combine(ExactText(name))
    case .variable: hasher.combine(0)
    }
  }
}
