/// The way in which a query finds the children of its window, as returned by ``TreeQuery/explain()``.
///
/// The description is meant for people and may change between versions.
public enum TreeQueryPlan: Sendable, Hashable {
  /// Only the children of the window are read, since their keys are in the order of the query.
  case keys
  /// Only the children of the window are read, since an index has their order.
  case index(TreeIndex)
  /// The place is read as a whole and its children are sorted, since the query has all of them.
  case wholePlace
  /// The values that order the children are read for all of them, and the children of the window are sorted. A
  /// query of a group reads the whole tree.
  case allChildren
}

extension TreeQueryPlan: CustomStringConvertible {
  /// The plan in one line.
  public var description: String {
    switch self {
    case .keys: "reads the window, in the order of keys"
    case .index(let index): "reads the window, in the order of the \(index)"
    case .wholePlace: "reads and sorts the whole place"
    case .allChildren: "reads the order of all children, and sorts the window"
    }
  }
}
