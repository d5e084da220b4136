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

  /// Returns the children in order, and whether all children were read although there may be an index.
  ///
  /// An index leads to a window without a search of the other children.
  func entries(in nodes: TreeNodes) throws -> (entries: [TreeSelection.Entry], isUnindexed: Bool) {
    let window = try TreeWindow(selection, in: nodes, declared)
    return (try window.entries(), window.isUnindexed)
  }

  /// Returns a child; `nil` if it does not exist or is outside of the bounds. The limit does not matter.
  func entry(ofKey key: ExactText, in nodes: TreeNodes) throws -> TreeSelection.Entry? {
    try TreeWindow(selection, in: nodes, declared).entry(ofKey: key.text)
  }

  /// Returns a child that is known to be one of the children.
  func known(_ key: ExactText, in nodes: TreeNodes) throws -> TreeSelection.Entry? {
    guard isByName else { return try entry(ofKey: key, in: nodes) }
    var sortKey = TreeSortKey()
    sortKey.append(name: key.text)
    return TreeSelection.Entry(key: key.text, sortKey: sortKey)
  }

  /// Returns the place of a child.
  func location(of key: ExactText) -> TreePath {
    selection.location(of: TreeSelection.Entry(key: key.text, sortKey: TreeSortKey()))
  }
}
