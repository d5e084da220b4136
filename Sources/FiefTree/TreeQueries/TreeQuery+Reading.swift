import Fief

extension TreeQuery {
  /// Returns the children of the query with everything below them, from one committed state.
  ///
  /// ``TreeSnapshot/children`` are in the order of the query; ``TreeSnapshot/json`` has them in the order of
  /// the tree. The snapshot of a group has the root as its place, and the paths of the children as names. A
  /// value without children has no children to return, so its snapshot is ``JSON/null``.
  ///
  /// - Throws: `FiefError` of code `valueTooLarge` if the names and values have more than 256 MiB;
  ///   `indexRequired` for a group without an index; errors of opening and reading the store.
  public func snapshot() throws -> TreeSnapshot { try tree.read { try $0.snapshot(of: self) } }

  /// Returns the number of children within the bounds and the limit. Their values are not read.
  ///
  /// - Throws: the errors of ``snapshot()``, except `valueTooLarge`.
  public func count() throws -> Int { try tree.read { try $0.count(of: self) } }

  /// Returns the way in which a read would find the children now.
  ///
  /// ```swift
  /// print(try rooms.queryOrdered(byChild: "at").queryLimited(toLast: 20).explain())
  /// ```
  /// - Throws: `FiefError` of code `indexRequired` for a group without an index; errors of opening and reading
  ///   the store.
  public func explain() throws -> TreeQueryPlan { try tree.read { try $0.explain(self) } }
}

extension TreeReader {
  /// Returns the children of a query with everything below them. See ``TreeQuery/snapshot()``.
  ///
  /// - Throws: `FiefError` of code `foreignObject` for a query of another store; `transactionEnded` outside of
  ///   the closure; the errors of ``TreeQuery/snapshot()``.
  public func snapshot(of query: TreeQuery) throws -> TreeSnapshot {
    try read(query) { try query.snapshot(in: $0) }
  }

  /// Returns the number of children of a query. See ``TreeQuery/count()``.
  ///
  /// - Throws: the errors of ``snapshot(of:)``, except `valueTooLarge`.
  public func count(of query: TreeQuery) throws -> Int {
    try read(query) { nodes in
      // The order does not change the number.
      let counted = query.start == nil && query.end == nil ? query.withoutOrder : query
      return try TreeWindow(counted, in: nodes).entries().count
    }
  }

  /// Returns the way in which a read would find the children of a query. See ``TreeQuery/explain()``.
  ///
  /// - Throws: the errors of ``count(of:)``.
  public func explain(_ query: TreeQuery) throws -> TreeQueryPlan {
    try read(query.reference) { _ in query.plan }
  }

  /// Calls `body` with the entries, and reports the query if it reads more than its window.
  private func read<Value>(_ query: TreeQuery, _ body: (TreeNodes) throws -> Value) throws -> Value {
    let value = try read(query.reference, body)
    if query.plan == .allChildren, let scope {
      UnindexedQueries.shared.report(query, in: scope.store)
    }
    return value
  }
}

extension TreeQuery {
  /// Reads the children in one transaction.
  func snapshot(in nodes: TreeNodes) throws -> TreeSnapshot {
    var reader = SubtreeReader(nodes)
    if isUnbounded {
      let json = try reader.value(at: TreePlace(reference.location))
      guard case .object(let members) = json else { return TreeSnapshot(reference: reference, json: .null) }
      return snapshot(of: members.members)
    }
    let members = try TreeWindow(self, in: nodes).entries().map { entry in
      JSONObject.Member(name: entry.key, value: try reader.value(at: TreePlace(location(of: entry))))
    }
    return TreeSnapshot(reference: reference, inOrder: members, isGroup: isGroup)
  }

  /// Returns the snapshot of all children of a place.
  private func snapshot(of members: [JSONObject.Member]) -> TreeSnapshot {
    if effectiveOrder == .key { return TreeSnapshot(reference: reference, inOrder: members) }
    let keys = members.map { effectiveOrder.sortKey(ofName: $0.name, $0.value) }
    let indexes = members.indices.sorted { keys[$0] < keys[$1] }
    return TreeSnapshot(reference: reference, inOrder: indexes.map { members[$0] })
  }

  /// The way in which a read finds the children.
  var plan: TreeQueryPlan {
    if effectiveOrder == .key { return .keys }
    return isUnbounded ? .wholePlace : .allChildren
  }
}
