extension TypeEntry {
  /// Whether only the product that declares the class writes its objects. The catalogue decides this, so that
  /// programs without the product cannot write them either.
  ///
  /// The key is compared as well, so that a class of an application with one of these names stays its own.
  package var isManaged: Bool {
    !isEmbedded && Self.isManaged(name) { names in primaryKey.map { column($0)?.name } == names }
  }

  /// Returns whether a type with this name and primary key is a managed type.
  ///
  /// - Parameter hasPrimaryKey: returns whether the primary key consists of columns with these names.
  static func isManaged(_ name: String, hasPrimaryKey: ([String]) -> Bool) -> Bool {
    // A dictionary of the names would add half to the time of opening a small store.
    switch name {
    case "JSONTreeNode": hasPrimaryKey(["segment", "place"])
    case "JSONTreeChange": hasPrimaryKey(["slot"])
    case "JSONTreeIndex": hasPrimaryKey(["id"])
    case "JSONTreeIndexPlace": hasPrimaryKey(["index", "segment", "place"])
    case "JSONTreeIndexEntry": hasPrimaryKey(["number", "text"])
    default: false
    }
  }
}
