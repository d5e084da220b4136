import Fief

/// The children of a place that an observation follows, and their order: all children, or the children of a
/// query.
protocol ChildWindow: Sendable {
  /// Whether the number of children is limited, so that the change of one child lets others in or out.
  var isLimited: Bool { get }
  /// Whether the children are ordered by their names.
  var isByName: Bool { get }

  /// Returns the children in order.
  func children(in nodes: TreeNodes) throws -> [ListedChild]

  /// Returns a child; `nil` if it does not exist, or is not one of the children whatever their number.
  func child(_ name: ExactText, in nodes: TreeNodes) throws -> ListedChild?

  func precedes(_ first: ListedChild, _ second: ListedChild) -> Bool
}

/// A child in the order of its siblings.
struct ListedChild {
  let name: ExactText
  /// The value by which the children are ordered; `nil` if they are ordered by their names.
  var order: JSON?
}

/// All children of a place.
struct AllChildren: ChildWindow {
  let path: TreePath

  var isLimited: Bool { false }
  var isByName: Bool { true }

  func children(in nodes: TreeNodes) throws -> [ListedChild] {
    var children: [ListedChild] = []
    var names = try ChildNames(nodes, of: TreePlace(path))
    while let name = try names.next() { children.append(ListedChild(name: ExactText(name))) }
    return children
  }

  func child(_ name: ExactText, in nodes: TreeNodes) throws -> ListedChild? {
    try nodes.exists(TreePlace(path.appending(name.text))) ? ListedChild(name: name) : nil
  }

  func precedes(_ first: ListedChild, _ second: ListedChild) -> Bool {
    TreeName.precedes(first.name.text, second.name.text)
  }
}
