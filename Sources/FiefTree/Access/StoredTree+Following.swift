import Fief

extension StoredTree {
  /// Follows a place of a tree, or its children, from one committed state to the next.
  package struct Follower {
    /// An event of the place.
    package struct Event {
      /// The name of the case of ``TreeEvent``.
      package let name: String
      /// The child; `nil` for the value of the place.
      package let key: String?
      /// The value in the new state.
      package let value: JSON
      /// The previous sibling in the new state.
      package let after: String?
    }

    private var follower: TreeFollower

    /// - Parameters:
    ///   - path: the place.
    ///   - query: the query of the children; `nil` for the value of the place.
    /// - Throws: the errors of ``JSONTree/reference(_:)`` and of queries.
    package init(at path: String, _ query: Query?) throws {
      let path = try TreePath(path)
      let selection = try query?.selection(at: path) ?? TreeSelection(childrenOf: path)
      follower = TreeFollower(
        ObservedChildren(selection),
        query == nil ? .value : .children,
        isWhole: query == nil
      )
    }

    /// Advances to a later state.
    ///
    /// - Parameter commit: the commit of the previous state; `nil` for the first state.
    /// - Returns: the events between the two states; for the first state the value, or all children as added.
    package mutating func advance(to tree: StoredTree, after commit: UInt64?) throws -> [Event] {
      let places = commit.flatMap { ChangeRing(tree.nodes).places(after: $0) }
      do {
        guard try follower.advance(places, to: tree.nodes) else { return [] }
        return try follower.takeEvents(in: tree.nodes).map { Event($0.step, $0.json) }
      } catch {
        throw FiefError.described(error, store: tree.nodes.storeName, at: follower.path)
      }
    }
  }
}

extension StoredTree.Follower.Event {
  fileprivate init(_ step: ObservedStep, _ json: JSON) {
    key = step.child?.text
    value = json
    switch step {
    case .value: (name, after) = ("value", nil)
    case .removed: (name, after) = ("childRemoved", nil)
    case .added(_, let sibling): (name, after) = ("childAdded", sibling?.text)
    case .moved(_, let sibling): (name, after) = ("childMoved", sibling?.text)
    case .changed(_, let sibling): (name, after) = ("childChanged", sibling?.text)
    }
  }
}
