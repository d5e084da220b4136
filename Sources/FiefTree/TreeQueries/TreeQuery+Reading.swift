import Fief

extension TreeQuery {
  /// Returns the children of the query with everything below them, from one committed state.
  ///
  /// ``TreeSnapshot/children`` are in the order of the query; ``TreeSnapshot/json`` has them in the order of
  /// the tree. The snapshot of a group has the root as its place, and the paths of the children as names. A
  /// place that has a value and no children gives ``JSON/null``.
  ///
  /// - Throws: `FiefError` of code `valueTooLarge` if the names and values have more than 256 MiB;
  ///   `indexRequired` for a group without an index; errors of opening and reading the store.
  public func snapshot() throws -> TreeSnapshot { try reference.tree.read { try $0.snapshot(of: self) } }

  /// Returns the number of children within the bounds and the limit. Their values are not read.
  ///
  /// - Throws: the errors of ``snapshot()``, except `valueTooLarge`.
  public func count() throws -> Int { try reference.tree.read { try $0.count(of: self) } }

  /// Returns the way in which ``snapshot()`` would find the children now.
  ///
  /// ```swift
  /// print(try rooms.queryOrdered(byChild: "at").queryLimited(toLast: 20).explain())
  /// ```
  /// - Throws: the errors of ``count()``.
  public func explain() throws -> TreeQueryPlan { try reference.tree.read { try $0.explain(self) } }
}

extension TreeReader {
  /// Returns the children of a query with everything below them. See ``TreeQuery/snapshot()``.
  ///
  /// - Throws: `FiefError` of code `foreignObject` for a query of another store; `transactionEnded` outside of
  ///   the closure; the errors of ``TreeQuery/snapshot()``.
  public func snapshot(of query: TreeQuery) throws -> TreeSnapshot {
    try read(query.selection, of: query) { window in
      let isGroup = query.selection.group != nil
      return TreeSnapshot(reference: query.reference, inOrder: try window.members(), isGroup: isGroup)
    }
  }

  /// Returns the number of children of a query. See ``TreeQuery/count()``.
  ///
  /// - Throws: the errors of ``snapshot(of:)``, except `valueTooLarge`.
  public func count(of query: TreeQuery) throws -> Int {
    let selection = query.selection
    // Without bounds, the order does not change the number. A group needs the index of its order.
    let isCounted = selection.start == nil && selection.end == nil && selection.group == nil
    let counted = isCounted ? selection.withoutOrder : selection
    return try read(counted, of: query) { try $0.count() }
  }

  /// Returns the way in which a read would find the children of a query. See ``TreeQuery/explain()``.
  ///
  /// - Throws: the errors of ``count(of:)``.
  public func explain(_ query: TreeQuery) throws -> TreeQueryPlan {
    try read(query.reference, query.rules, group: query.selection.group) { nodes in
      try query.window(query.selection, in: nodes).plan
    }
  }

  /// Calls `body` with the window of a query, and reports the query if an index could have served it.
  private func read<Value>(
    _ selection: TreeSelection,
    of query: TreeQuery,
    _ body: (TreeWindow) throws -> Value
  ) throws -> Value {
    var isUnindexed = false
    let value = try read(query.reference, query.rules, group: query.selection.group) { nodes in
      let window = try query.window(selection, in: nodes)
      isUnindexed = window.isUnindexed
      return try body(window)
    }
    if isUnindexed, let scope { UnindexedQueries.shared.report(selection, in: scope.store) }
    return value
  }
}

extension TreeQuery {
  fileprivate func window(_ selection: TreeSelection, in nodes: TreeNodes) throws -> TreeWindow {
    try TreeWindow(selection, in: nodes, reference.tree.origin.rules.indexes)
  }
}
