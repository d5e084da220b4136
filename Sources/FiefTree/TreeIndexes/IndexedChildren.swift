import Fief
import LMDB

/// Walks through the children that an index orders, in the order of the tree.
struct IndexedChildren {
  /// A place that the walk visits.
  struct Visit {
    let path: TreePath
    let place: TreePlace
    /// Whether the index orders the place. Other places lead to such children.
    let isIndexed: Bool
    /// Whether something is known to be at the place.
    let exists: Bool
  }

  /// Returns whether the walk goes on after a visit.
  typealias Body = (Visit) throws -> Bool

  private let nodes: TreeNodes
  private let scope: TreeIndexDefinition.Scope

  init(_ nodes: TreeNodes, _ scope: TreeIndexDefinition.Scope) {
    self.nodes = nodes
    self.scope = scope
  }

  /// Walks through the whole tree.
  ///
  /// - Parameter position: the place at which an earlier walk has ended; `nil` to begin with the first one.
  /// - Returns: whether the walk has reached its end.
  func run(after position: TreePath? = nil, _ body: Body) throws -> Bool {
    let rest = (position?.names ?? [])[...]
    let root = TreePlace(TreePath())
    switch scope {
    case .pattern(let pattern): return try visit(TreePath(), root, pattern, rest, body)
    case .group(let name): return try visit(TreePath(), root, isGroup: false, name, rest, body)
    }
  }

  /// Walks through the children whose positions a change at a place may affect: children at or below the
  /// place, and children that contain the place.
  func run(changing path: TreePath, _ body: (Visit) throws -> Void) throws {
    let names = path.names
    let all: Body = { visit in
      try body(visit)
      return true
    }
    func visitAncestor(_ count: Int) throws {
      let path = TreePath(names: Array(names.prefix(count)))
      try body(Visit(path: path, place: TreePlace(path), isIndexed: true, exists: false))
    }
    switch scope {
    case .pattern(let pattern):
      guard pattern.agrees(with: path) else { return }
      if names.count <= pattern.parts.count {
        _ = try visit(path, TreePlace(path), pattern, [], all)
      } else {
        try visitAncestor(pattern.parts.count + 1)
      }
    case .group(let name):
      for index in names.indices.dropLast() where names[index].hasSameBytes(as: name) {
        try visitAncestor(index + 2)
      }
      let isGroup = names.last?.hasSameBytes(as: name) ?? false
      _ = try visit(path, TreePlace(path), isGroup: isGroup, name, [], all)
    }
  }

  /// Visits the places below a place whose path begins like a pattern.
  ///
  /// - Parameter rest: the names from the place to the last visited place; empty to visit all places.
  private func visit(
    _ path: TreePath,
    _ place: TreePlace,
    _ pattern: TreePattern,
    _ rest: ArraySlice<String>,
    _ body: Body
  ) throws -> Bool {
    let depth = path.names.count
    let isLast = depth == pattern.parts.count
    if !isLast, case .name(let name) = pattern.parts[depth] {
      var below: ArraySlice<String> = []
      if let first = rest.first {
        if first.hasSameBytes(as: name) {
          below = rest.dropFirst()
        } else if TreeName.precedes(name, first) {
          return true
        }
      }
      return try visit(path.appending(name), place.appending(name), pattern, below, body)
    }
    var names = try ChildNames(nodes, of: place, from: bound(rest))
    while let name = try names.next() {
      let isVisited = rest.first?.hasSameBytes(as: name) ?? false
      let (child, childPlace) = (path.appending(name), place.appending(name))
      if !isVisited {
        let visit = Visit(path: child, place: childPlace, isIndexed: isLast, exists: true)
        guard try body(visit) else { return false }
      }
      if isLast || !names.mayHaveChildren { continue }
      guard try visit(child, childPlace, pattern, isVisited ? rest.dropFirst() : [], body) else {
        return false
      }
    }
    return true
  }

  /// Visits the places below a place, all of which may have children of the group below them.
  ///
  /// - Parameter isGroup: whether the index orders the children of the place.
  private func visit(
    _ path: TreePath,
    _ place: TreePlace,
    isGroup: Bool,
    _ group: String,
    _ rest: ArraySlice<String>,
    _ body: Body
  ) throws -> Bool {
    var names = try ChildNames(nodes, of: place, from: bound(rest))
    while let name = try names.next() {
      guard path.names.count < TreePath.mostNames else { throw nodes.damaged("A tree is too deep.") }
      let isVisited = rest.first?.hasSameBytes(as: name) ?? false
      let (child, childPlace) = (path.appending(name), place.appending(name))
      if !isVisited {
        let visit = Visit(path: child, place: childPlace, isIndexed: isGroup, exists: true)
        guard try body(visit) else { return false }
      }
      guard names.mayHaveChildren else { continue }
      let isNext = name.hasSameBytes(as: group)
      let below = isVisited ? rest.dropFirst() : []
      guard try visit(child, childPlace, isGroup: isNext, group, below, body) else { return false }
    }
    return true
  }

  private func bound(_ rest: ArraySlice<String>) -> ChildNames.Bound? {
    rest.first.map { ChildNames.Bound(name: $0, isIncluded: true) }
  }
}
