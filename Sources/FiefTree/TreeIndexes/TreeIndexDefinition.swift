import Fief

/// The places whose children an index orders, and the values by which it orders them.
struct TreeIndexDefinition: Sendable, Hashable, CustomStringConvertible {
  enum Scope: Sendable {
    case pattern(TreePattern)
    /// All nodes with a name.
    case group(String)
  }

  /// The maximum number of indexes of a tree.
  static let most = 64

  let scope: Scope
  /// The order, which is not the order of keys.
  let order: TreeOrder

  var description: String {
    let place =
      switch scope {
      case .pattern(let pattern): "index of '\(pattern.text)'"
      case .group(let name): "group '\(name)'"
      }
    return place + " on '\(order.text ?? "")'"
  }

  /// - Parameters:
  ///   - pattern: names, and variables that begin with `$`, joined by slashes.
  ///   - child: names from a child to the value that orders it, joined by slashes, or `.value`.
  init(pattern: String, on child: String) throws(FiefError) {
    try self.init(.pattern(try TreePattern(pattern)), on: child)
  }

  /// - Parameters:
  ///   - group: the name of the nodes.
  ///   - child: names from a child to the value that orders it, joined by slashes, or `.value`.
  init(group: String, on child: String) throws(FiefError) {
    try TreeName.check(group, path: group)
    try self.init(.group(group), on: child)
  }

  private init(_ scope: Scope, on child: String) throws(FiefError) {
    self.scope = scope
    order = child.hasSameBytes(as: TreeOrder.valueText) ? .value : try TreeOrder(child: child)
  }
}

extension TreeIndexDefinition.Scope: Hashable {
  static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.pattern(let first), .pattern(let second)): first == second
    case (.group(let first), .group(let second)): first.hasSameBytes(as: second)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .pattern(let pattern): hasher.combine(pattern)
    case .group(let name): hasher.combine(ExactText(name))
    }
  }
}
