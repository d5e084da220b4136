import Fief
import LMDB

/// Walks through the children of a window.
extension TreeWindow {
  /// Finds the children within the bounds, until `body` returns `false`.
  func forEach(_ body: (TreeSelection.Entry) throws -> Bool) throws {
    switch access {
    case .names: try forEachName(body)
    case .index(let index, let tables): try forEachEntry(of: index, tables, body)
    case .scan: try scan(body)
    }
  }

  /// Walks through the window only.
  private func forEachName(_ body: (TreeSelection.Entry) throws -> Bool) throws {
    let bound = isBackward ? selection.end : selection.start
    let start = bound.flatMap { bound in
      bound.value.string.map { ChildNames.Bound(name: $0, isIncluded: bound.isIncluded) }
    }
    let place = TreePlace(selection.location)
    var names = try ChildNames(nodes, of: place, from: start, isBackward: isBackward)
    var count = 0
    defer { nodes.count(max(count, 1)) }
    while let name = try names.next() {
      var sortKey = TreeSortKey()
      sortKey.append(name: name)
      if isBackward ? range.isBefore(sortKey) : range.isAfter(sortKey) { return }
      count += 1
      guard try body(TreeSelection.Entry(key: name, sortKey: sortKey)) else { return }
    }
  }

  /// Walks through the window of an index. A group in the order of its paths has all children of the index.
  private func forEachEntry(
    of index: StoredIndex,
    _ tables: TreeIndexTables,
    _ body: (TreeSelection.Entry) throws -> Bool
  ) throws {
    guard let number = try nodes.number(of: index, TreePlace(selection.location), tables) else { return }
    let isSorted = isOrdered
    var walk = try IndexEntries(
      nodes,
      tables.entries,
      of: number,
      isSorted ? range : TreeRange(),
      isBackward: isSorted && isBackward
    )
    var count = 0
    defer { nodes.scope?.costs.add(tables.entries.table, reads: max(count, 1), bytes: 0) }
    while let position = try walk.next() {
      guard let path = position.path else {
        throw nodes.damaged("An entry of an index of a tree is damaged.")
      }
      var sortKey = position
      if !isSorted {
        sortKey = TreeSortKey()
        sortKey.append(path)
        guard range.contains(sortKey) else { continue }
      }
      count += 1
      guard try body(TreeSelection.Entry(key: path.text, sortKey: sortKey)) else { return }
    }
  }

  /// Reads the positions of all children.
  private func scan(_ body: (TreeSelection.Entry) throws -> Bool) throws {
    var count = 0
    defer { nodes.count(max(count, 1)) }
    let scope: TreeIndexDefinition.Scope =
      if let group = selection.group { .group(group) } else { .pattern(TreePattern(selection.location)) }
    _ = try IndexedChildren(nodes, scope).run { visit in
      count += 1
      guard visit.isIndexed else { return true }
      let sortKey = try sortKey(of: visit.path, at: visit.place)
      guard range.contains(sortKey) else { return true }
      let key = selection.group == nil ? visit.path.names.last ?? "" : visit.path.text
      return try body(TreeSelection.Entry(key: key, sortKey: sortKey))
    }
  }
}
