package import Fief

extension StoredTree {
  /// A query of the children of a place.
  package struct Query {
    /// The names from a child to the value that orders it, joined by slashes; `.key` or `.value`.
    package var order = ".key"
    package var start: JSON?
    package var end: JSON?
    package var equal: JSON?
    package var first: Int?
    package var last: Int?

    package init() {}

    func selection(at path: TreePath) throws -> TreeSelection {
      let byKey = order == ".key"
      let order: TreeOrder =
        byKey ? .key : order == TreeOrder.valueText ? .value : try TreeOrder(child: order)
      func bound(_ value: JSON?) -> TreeSelection.Bound? {
        value.map { TreeSelection.Bound(value: $0, childKey: nil, isIncluded: true) }
      }
      var selection = try TreeSelection(childrenOf: path).ordered(by: order)
      if let equal {
        selection = try selection.bounded(start: bound(equal), end: bound(equal), isEqual: true)
      }
      if start != nil || end != nil {
        selection = try selection.bounded(start: bound(start), end: bound(end))
      }
      if let first { selection = try selection.limited(to: .first(first)) }
      if let last { selection = try selection.limited(to: .last(last)) }
      return selection
    }
  }

  /// Returns the names and values of the children in the order of a query.
  ///
  /// - Throws: the errors of queries of trees.
  package func children(at path: String, _ query: Query) throws -> [(name: String, value: JSON)] {
    let selection = try query.selection(at: try TreePath(path))
    return try TreeWindow(selection, in: nodes, []).members().map { ($0.name, $0.value) }
  }

  /// Returns the indexes of the store.
  package func indexes() throws -> [TreeIndex] { try StoredIndex.all(nodes).map { TreeIndex($0) } }

  /// Removes an index.
  ///
  /// - Parameters:
  ///   - place: the pattern of its places, or the name of its group.
  ///   - isGroup: whether the index is the index of a group.
  ///   - order: the names from a child to the value that orders it, joined by slashes, or `.value`.
  /// - Returns: whether the store had the index.
  package static func removeIndex(
    _ place: String,
    isGroup: Bool,
    on order: String,
    in transaction: DynamicTransaction
  ) throws -> Bool {
    let nodes = try TreeNodes(transaction.writer.currentTables, transaction.writer.transaction)
    let definition =
      isGroup
      ? try TreeIndexDefinition(group: place, on: order) : try TreeIndexDefinition(pattern: place, on: order)
    return try nodes.removeIndex(definition, EntryWriter(writer: transaction.writer, scope: nil))
  }
}
