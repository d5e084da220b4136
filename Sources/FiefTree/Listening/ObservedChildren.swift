import Fief

/// The children that an observation follows: the children of a place, or of a query.
struct ObservedChildren: Sendable {
  let selection: TreeSelection
  /// The indexes that the rules of the tree declare.
  let declared: [TreeIndexDefinition]

  init(_ selection: TreeSelection, _ declared: [TreeIndexDefinition] = []) {
    self.selection = selection
    self.declared = declared
  }

  var isGroup: Bool { selection.group != nil }

  /// Whether the number of children is limited, so that the change of one child lets others in or out.
  var isLimited: Bool { selection.limit != nil }

  /// Whether the children are ordered by their names.
  var isByName: Bool { selection.effectiveOrder == .key && !isGroup }

  /// Returns the window of the children in a state. An index leads to it without a search of the other
  /// children.
  func window(in nodes: TreeNodes) throws -> TreeWindow { try TreeWindow(selection, in: nodes, declared) }

  /// Returns the position of a child that is known to be one of the children.
  ///
  /// - Returns: `nil` if the child has changed and is no longer one of them.
  func sortKey(ofKnown key: ExactText, in window: TreeWindow) throws -> TreeSortKey? {
    guard isByName else { return try window.entry(ofKey: key.text)?.sortKey }
    var sortKey = TreeSortKey()
    sortKey.append(name: key.text)
    return sortKey
  }

  /// Returns the place of a child.
  func location(of key: ExactText) -> TreePath {
    selection.location(of: TreeSelection.Entry(key: key.text, sortKey: TreeSortKey()))
  }
}
