import Fief

extension TreeReference {
  /// Returns the value of the place with everything below it, from one committed state.
  ///
  /// Nodes whose names are the indexes of an array are returned as arrays, as ``TreeSnapshot/value``
  /// describes. The result is ``JSON/null`` if nothing is there.
  ///
  /// - Parameter source: the origin of the value.
  /// - Throws: `FiefError` of code `valueTooLarge` if the names and values have more than 256 MiB;
  ///   `notConnected` for ``TreeSource/server``; errors of opening and reading the store.
  public func value(source: TreeSource = .default) throws -> JSON {
    try check(source)
    return try tree.read { try $0.value(at: self) }
  }

  /// Returns the value of the place with everything below it, and its place.
  ///
  /// - Parameter source: the origin of the value.
  /// - Throws: the errors of ``value(source:)``.
  public func snapshot(source: TreeSource = .default) throws -> TreeSnapshot {
    try check(source)
    return try tree.read { try $0.snapshot(at: self) }
  }

  private func check(_ source: TreeSource) throws {
    if case .server = source {
      throw FiefError(
        .notConnected,
        "The tree is not connected to a server.",
        store: try tree.origin.store().1.name,
        details: ["path: " + HiddenValue.text(path)]
      )
    }
  }

  /// Returns whether the place has a value or children. It is not read.
  ///
  /// - Throws: `FiefError` if the store cannot be opened or read.
  public func exists() throws -> Bool { try tree.read { try $0.exists(at: self) } }

  /// Returns the names of the children in the order of the tree.
  ///
  /// The values of the children are not read, however large they are.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of names; `nil` for all.
  ///   - name: the name after which the result begins, which need not exist; `nil` to begin with the first.
  /// - Throws: `FiefError` of code `invalidTreeKey` for an invalid name, `invalidValue` for a negative limit;
  ///   errors of opening and reading the store.
  public func keys(limit: Int? = nil, after name: String? = nil) throws -> [String] {
    try tree.read { try $0.keys(at: self, limit: limit, after: name) }
  }

  /// Returns the number of children. Their values are not read.
  ///
  /// - Throws: `FiefError` if the store cannot be opened or read.
  public func childCount() throws -> Int { try tree.read { try $0.childCount(at: self) } }
}
