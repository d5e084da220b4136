import Fief
import LMDB

/// Finds the children of a selection in one transaction.
struct TreeWindow {
  /// The way in which the children are found.
  private enum Access {
    /// The names of the children are in the order of the selection.
    case names
    case index(StoredIndex, TreeIndexTables)
    /// The positions of all children are read. The index, if there is one, will serve the selection.
    case scan(StoredIndex?)
  }

  private let selection: TreeSelection
  private let nodes: TreeNodes
  private let access: Access
  private let range: TreeRange

  /// - Parameter declared: the indexes that the rules declare. The store may not have all of them yet.
  /// - Throws: `FiefError` of code `indexRequired` for a group without an index.
  init(_ selection: TreeSelection, in nodes: TreeNodes, _ declared: [TreeIndexDefinition]) throws {
    self.selection = selection
    self.nodes = nodes
    range = selection.range
    access = try Self.access(to: selection, nodes, declared)
  }

  private static func access(
    to selection: TreeSelection,
    _ nodes: TreeNodes,
    _ declared: [TreeIndexDefinition]
  ) throws -> Access {
    if selection.group == nil, selection.effectiveOrder == .key { return .names }
    let indexes = try StoredIndex.all(nodes).filter { $0.definition.serves(selection) }
    if let index = indexes.first(where: \.isComplete), let tables = nodes.indexTables {
      return .index(index, tables)
    }
    if let group = selection.group, indexes.isEmpty, !declared.contains(where: { $0.serves(selection) }) {
      throw FiefError(
        .indexRequired,
        "A query of a group needs an index: declare it in the rules of the tree.",
        store: nodes.storeName,
        details: [
          "group: " + HiddenValue.text(group),
          "declare it: rules.group(name, on: \"\(selection.order?.text ?? TreeOrder.valueText)\")",
        ]
      )
    }
    return .scan(indexes.first)
  }

  var plan: TreeQueryPlan {
    switch access {
    case .names: .keys
    case _ where selection.readsWholePlace: .wholePlace
    case .index(let index, _): .index(TreeIndex(index))
    case .scan: .allChildren
    }
  }

  /// Whether the selection is slow because no index serves it.
  var isUnindexed: Bool {
    guard case .scan(nil) = access else { return false }
    return selection.group == nil && !selection.isUnbounded
  }

  // MARK: Children

  /// Returns the children within the bounds and the limit, in the order of the selection.
  func entries() throws -> [TreeSelection.Entry] {
    switch access {
    case .names: try entriesByName()
    case .index(let index, let tables): try entries(of: index, tables)
    case .scan: try scannedEntries()
    }
  }

  /// Returns the children with their values.
  ///
  /// - Throws: `FiefError` of code `valueTooLarge` if they are larger than one read.
  func members() throws -> [JSONObject.Member] {
    var reader = SubtreeReader(nodes)
    guard selection.readsWholePlace else {
      return try entries().map { entry in
        let value = try reader.value(at: TreePlace(selection.location(of: entry)))
        return JSONObject.Member(name: entry.key, value: value)
      }
    }
    let members = try reader.value(at: TreePlace(selection.location)).object?.members ?? []
    let order = selection.effectiveOrder
    if order == .key { return members }
    let keys = members.map { order.sortKey(ofName: $0.name, $0.value) }
    return members.indices.sorted { keys[$0] < keys[$1] }.map { members[$0] }
  }

  /// Returns a child if it exists and is within the bounds; the limit does not matter.
  ///
  /// - Parameter key: the child's name; in a group its path.
  func entry(ofKey key: String) throws -> TreeSelection.Entry? {
    let path = selection.group == nil ? selection.location.appending(key) : TreePath(valid: key)
    let place = TreePlace(path)
    nodes.count(1)
    guard try nodes.exists(place) else { return nil }
    let entry = TreeSelection.Entry(key: key, sortKey: try sortKey(of: path, at: place))
    return range.contains(entry.sortKey) ? entry : nil
  }

  /// - Parameter place: the place of the child.
  private func sortKey(of path: TreePath, at place: TreePlace) throws -> TreeSortKey {
    var sortKey = TreeSortKey()
    let order = selection.effectiveOrder
    if order != .key { sortKey.append(try nodes.sortValue(at: place, order)) }
    if selection.group == nil {
      sortKey.append(name: path.names.last ?? "")
    } else {
      sortKey.append(path)
    }
    return sortKey
  }

  private var isBackward: Bool { selection.limit?.isLast ?? false }

  /// Walks through the window only.
  private func entriesByName() throws -> [TreeSelection.Entry] {
    let bound = isBackward ? selection.end : selection.start
    let start = bound.flatMap { bound in
      bound.value.string.map { ChildNames.Bound(name: $0, isIncluded: bound.isIncluded) }
    }
    let place = TreePlace(selection.location)
    var names = try ChildNames(nodes, of: place, from: start, isBackward: isBackward)
    var entries: [TreeSelection.Entry] = []
    defer { nodes.count(max(entries.count, 1)) }
    while entries.count < selection.limit?.count ?? .max, let name = try names.next() {
      var sortKey = TreeSortKey()
      sortKey.append(name: name)
      if isBackward ? range.isBefore(sortKey) : range.isAfter(sortKey) { break }
      entries.append(TreeSelection.Entry(key: name, sortKey: sortKey))
    }
    if isBackward { entries.reverse() }
    return entries
  }

  /// Walks through the window of an index. A group in the order of its paths has all children of the index.
  private func entries(of index: StoredIndex, _ tables: TreeIndexTables) throws -> [TreeSelection.Entry] {
    guard let number = try nodes.number(of: index, TreePlace(selection.location), tables) else { return [] }
    let isSorted = selection.effectiveOrder == index.definition.order
    var walk = try IndexEntries(
      nodes,
      tables.entries,
      of: number,
      isSorted ? range : TreeRange(),
      isBackward: isSorted && isBackward
    )
    var window = EntryWindow(isSorted ? nil : selection.limit)
    defer { nodes.scope?.costs.add(tables.entries.table, reads: max(window.count, 1), bytes: 0) }
    while !isSorted || window.count < selection.limit?.count ?? .max, let position = try walk.next() {
      guard let path = position.path else {
        throw nodes.damaged("An entry of an index of a tree is damaged.")
      }
      var sortKey = position
      if !isSorted {
        sortKey = TreeSortKey()
        sortKey.append(path)
        guard range.contains(sortKey) else { continue }
      }
      window.append(TreeSelection.Entry(key: path.text, sortKey: sortKey))
    }
    return isSorted ? window.entries(isBackward: isBackward) : window.sorted()
  }

  /// Reads the positions of all children, and keeps the children in the window.
  private func scannedEntries() throws -> [TreeSelection.Entry] {
    var window = EntryWindow(selection.limit)
    var count = 0
    defer { nodes.count(max(count, 1)) }
    let scope: TreeIndexDefinition.Scope =
      if let group = selection.group { .group(group) } else { .pattern(TreePattern(selection.location)) }
    _ = try IndexedChildren(nodes, scope).run { visit in
      count += 1
      guard visit.isIndexed else { return true }
      let sortKey = try sortKey(of: visit.path, at: visit.place)
      if range.contains(sortKey) {
        let key = selection.group == nil ? visit.path.names.last ?? "" : visit.path.text
        window.append(TreeSelection.Entry(key: key, sortKey: sortKey))
      }
      return true
    }
    return window.sorted()
  }
}

/// Collects the children of a window. Its memory is proportional to the limit.
private struct EntryWindow {
  private let limit: TreeSelection.Limit?
  private var entries: [TreeSelection.Entry] = []
  /// The number of children at which those outside of the window are dropped.
  private let most: Int

  init(_ limit: TreeSelection.Limit?) {
    self.limit = limit
    let (twice, overflows) = (limit?.count ?? .max).multipliedReportingOverflow(by: 2)
    most = overflows ? .max : max(twice, 256)
  }

  var count: Int { entries.count }

  mutating func append(_ entry: TreeSelection.Entry) {
    entries.append(entry)
    if entries.count >= most { entries = sorted() }
  }

  /// Returns the children in the order in which they were added, or backward.
  func entries(isBackward: Bool) -> [TreeSelection.Entry] { isBackward ? entries.reversed() : entries }

  /// Returns the children of the window in their order.
  func sorted() -> [TreeSelection.Entry] {
    let sorted = entries.sorted { $0.sortKey < $1.sortKey }
    return switch limit {
    case nil: sorted
    case .first(let count)?: Array(sorted.prefix(count))
    case .last(let count)?: Array(sorted.suffix(count))
    }
  }
}

extension TreeSelection {
  /// Whether all children of a place are selected, so that they are read together.
  fileprivate var readsWholePlace: Bool { isUnbounded && group == nil }
}

extension TreeIndexDefinition {
  /// Whether the index has the children of a selection. Any index of a group has the children of the group.
  fileprivate func serves(_ selection: TreeSelection) -> Bool {
    switch (scope, selection.group) {
    case (.pattern(let pattern), nil): pattern.matches(selection.location) && order == selection.order
    case (.group(let name), let group?):
      name.hasSameBytes(as: group) && (selection.effectiveOrder == .key || order == selection.order)
    default: false
    }
  }
}
