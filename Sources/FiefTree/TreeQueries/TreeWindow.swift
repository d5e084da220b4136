import Fief
import LMDB

/// Finds the children of a selection in one transaction.
struct TreeWindow {
  /// The way in which the children are found.
  enum Access {
    /// The names of the children are in the order of the selection.
    case names
    case index(StoredIndex, TreeIndexTables)
    /// The positions of all children are read. The index, if there is one, will serve the selection.
    case scan(StoredIndex?)
  }

  let selection: TreeSelection
  let nodes: TreeNodes
  let range: TreeRange
  let access: Access

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
    let isOrdered = isOrdered
    var window = EntryWindow(isOrdered ? nil : selection.limit)
    try forEach { entry in
      window.append(entry)
      return !isOrdered || window.count < selection.limit?.count ?? .max
    }
    return isOrdered ? window.entries(isBackward: isBackward) : window.sorted()
  }

  /// Returns the number of children within the bounds and the limit.
  func count() throws -> Int {
    var count = 0
    try forEach { _ in
      count += 1
      return count < selection.limit?.count ?? .max
    }
    return count
  }

  /// Whether the children are found in the order of the selection, or backward.
  var isOrdered: Bool {
    switch access {
    case .names: true
    case .index(let index, _): selection.effectiveOrder == index.definition.order
    case .scan: false
    }
  }

  /// Returns the children with their values.
  ///
  /// - Throws: `FiefError` of code `valueTooLarge` if they are larger than one read.
  func members() throws -> [JSONObject.Member] {
    var reader = SubtreeReader(nodes)
    guard selection.readsWholePlace else {
      let parent = TreePlace(selection.location)
      return try entries().map { entry in
        let isGroup = selection.group != nil
        let place = isGroup ? TreePlace(TreePath(valid: entry.key)) : parent.appending(entry.key)
        let value = try reader.value(at: place)
        if case .null = value, case .index = access {
          throw nodes.damaged("An entry of an index of a tree has no child.")
        }
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
  func sortKey(of path: TreePath, at place: TreePlace) throws -> TreeSortKey {
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

  var isBackward: Bool { selection.limit?.isLast ?? false }
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
