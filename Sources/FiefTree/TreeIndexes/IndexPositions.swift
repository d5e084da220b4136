import Fief

/// Finds the positions of children in an index, and the numbers of their parents.
struct IndexPositions {
  private let nodes: TreeNodes
  private let index: StoredIndex
  /// The last parent whose number was asked for.
  private var known: (parent: TreePath, number: Int)?

  init(_ nodes: TreeNodes, _ index: StoredIndex) {
    self.nodes = nodes
    self.index = index
  }

  /// Returns the position of a child; `nil` if the index does not order the place, or if nothing is there.
  func position(of visit: IndexedChildren.Visit) throws -> [UInt8]? {
    guard visit.isIndexed else { return nil }
    let value = try nodes.sortValue(at: visit.place, index.definition.order)
    if case .absent = value, !visit.exists, try !nodes.exists(visit.place) { return nil }
    var position = TreeSortKey()
    position.append(value)
    switch index.definition.scope {
    case .pattern: position.append(name: visit.path.names.last ?? "")
    case .group: position.append(visit.path)
    }
    return position.bytes
  }

  /// Returns the path of a child's parent; the root for a group, whose children have one number.
  func parent(of visit: IndexedChildren.Visit) -> TreePath {
    switch index.definition.scope {
    case .pattern: TreePath(names: Array(visit.path.names.dropLast()))
    case .group: TreePath()
    }
  }

  /// Returns the number of a child's parent; `nil` if the index has no children of it.
  mutating func number(for visit: IndexedChildren.Visit, _ tables: TreeIndexTables) throws -> Int? {
    let parent = parent(of: visit)
    if let known, known.parent == parent { return known.number }
    guard let number = try nodes.number(of: index, TreePlace(parent), tables) else { return nil }
    known = (parent, number)
    return number
  }

  /// Returns the number of a child's parent, which it gets if it has none.
  mutating func makeNumber(for visit: IndexedChildren.Visit, _ writer: IndexEntryWriter) throws -> Int {
    let parent = parent(of: visit)
    if let known, known.parent == parent { return known.number }
    let number = try writer.makeNumber(of: index, TreePlace(parent))
    known = (parent, number)
    return number
  }

  /// Returns the key of a child's parent.
  func parentKey(for visit: IndexedChildren.Visit) throws -> [UInt8] {
    let place = TreePlace(parent(of: visit))
    return IndexPlaceKey.key(index.id, try nodes.segment(of: place) ?? 0, place.last)
  }
}
