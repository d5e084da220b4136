import Fief

/// The values by which a query orders the children of a place.
enum TreeOrder: Sendable, Hashable {
  case key
  case value
  /// The values at a path below each child; one to eight names.
  case child(TreePath)

  /// The maximum number of names from a child to the value that orders it.
  static let mostNames = 8
  /// The text for the values of the children themselves.
  static let valueText = ".value"

  /// - Parameter child: names that are joined by slashes.
  /// - Throws: `FiefError` of code `invalidTreeKey`, or `invalidQuery` for no names or too many.
  init(child: String) throws(FiefError) {
    let path = try TreePath(child)
    guard (1...Self.mostNames).contains(path.names.count) else {
      throw FiefError(
        .invalidQuery,
        "The path of an order has no name, or more than \(Self.mostNames) names.",
        details: ["path: " + HiddenValue.text(child)]
      )
    }
    self = .child(path)
  }

  /// The names from a child to the value that orders it.
  var names: [String] { if case .child(let path) = self { path.names } else { [] } }

  /// The text of the order in declarations of indexes; `nil` for the order of keys, which needs no index.
  var text: String? {
    switch self {
    case .key: nil
    case .value: Self.valueText
    case .child(let path): path.text
    }
  }

  /// Returns the key of a child that was read.
  func sortKey(ofName name: String, _ value: JSON) -> TreeSortKey {
    var key = TreeSortKey()
    if self != .key {
      let value = names.reduce(value) { $0[$1] }
      switch value {
      case .object(let members): key.append(members.isEmpty ? .absent : .node)
      default: key.append(.leaf(value))
      }
    }
    key.append(name: name)
    return key
  }
}
