extension AccessRules {
  /// Declares an index of the children of every place that matches a pattern.
  ///
  /// The index becomes a part of the store. The tree builds it in the background when it is first used; until
  /// it is complete, queries read all children. Every process that opens the store keeps the index up to date,
  /// whether its own rules declare it or not. Only ``JSONTree/removeIndex(_:)`` removes it.
  ///
  /// - Parameters:
  ///   - pattern: names, and variables such as `$room` that stand for any name, joined by slashes.
  ///   - child: one to eight names from a child to the value that orders it, joined by slashes; `.value` for
  ///     the values of the children themselves.
  /// - Throws: `FiefError` of code `invalidTreeKey` for a name, `treeTooDeep` for a pattern of more than 32
  ///   names, `invalidQuery` for a path of more than eight names or more than 64 indexes.
  public func index(_ pattern: String, on child: String) throws -> AccessRules {
    try adding(try TreeIndexDefinition(pattern: pattern, on: child))
  }

  /// Declares an index of the children of all nodes with a name, wherever they are. ``JSONTree/group(_:)``
  /// needs it.
  ///
  /// - Parameters:
  ///   - name: the name of the nodes.
  ///   - child: the values that order their children; see ``index(_:on:)``.
  /// - Throws: the errors of ``index(_:on:)``.
  public func group(_ name: String, on child: String) throws -> AccessRules {
    try adding(try TreeIndexDefinition(group: name, on: child))
  }
}
