import Fief

extension JSONTree {
  /// Returns a query of the children of every node with a name, wherever the node is.
  ///
  /// ```swift
  /// let newest = try tree.group("messages").queryOrdered(byChild: "at").queryLimited(toLast: 20)
  /// for message in try newest.snapshot().children { print(message.reference.path) }
  /// ```
  /// The query needs an index, which ``AccessRules/group(_:on:)`` declares. Children with equal values, and a
  /// group without an order, are ordered by their paths.
  ///
  /// - Parameter name: the name of the nodes.
  /// - Throws: `FiefError` of code `invalidTreeKey`. Reading the query throws `indexRequired` if the group has no
  ///   index with its order.
  public func group(_ name: String) throws -> TreeQuery {
    try TreeName.check(name, path: name)
    return TreeQuery(reference: root, selection: TreeSelection(group: name))
  }

  /// Returns all indexes of the store. The rules of this tree need not declare them.
  ///
  /// - Throws: `FiefError` if the store cannot be opened or read.
  public func indexes() throws -> [TreeIndex] {
    try read { try $0.read(root) { nodes in try StoredIndex.all(nodes).map { TreeIndex($0) } } }
  }

  /// Removes an index from the store, with all of its entries, in one commit.
  ///
  /// If the store does not have the index, nothing happens. A tree whose rules declare the index adds it again
  /// when the tree is next opened, so change the rules of all programs first.
  ///
  /// - Throws: `FiefError` if the store cannot be opened or written.
  nonisolated(nonsending) public func removeIndex(_ index: TreeIndex) async throws {
    let (store, core) = try origin.store()
    _ = try await core.submit(removal(of: index, from: store))
  }

  /// Removes an index, and blocks until the commit is durable. See ``removeIndex(_:)``.
  public func removeIndexAndWait(_ index: TreeIndex) throws {
    let (store, core) = try origin.store()
    _ = try core.submit(removal(of: index, from: store))
  }

  private func removal(of index: TreeIndex, from store: Store) -> WriteWork {
    .body(
      { [visible = store.visible] scope in
        let scope = scope.seeing(visible)
        let nodes = try TreeNodes(in: scope)
        try scope.changing {
          _ = try nodes.removeIndex(index.definition, EntryWriter(writer: scope.writer, scope: scope))
        }
      },
      onlyDeletes: true
    )
  }
}
