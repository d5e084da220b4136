extension TypeEntry {
  /// Whether only the product that declares the class writes its objects. The catalogue decides this, so that
  /// programs without the product cannot write them either.
  ///
  /// The key is compared as well, so that a class of an application with one of these names stays its own.
  package var isManaged: Bool {
    if isEmbedded { return false }
    // A dictionary of the names would add half to the time of opening a small store.
    return switch name {
    case "JSONTreeNode": hasPrimaryKey(["segment", "place"])
    case "JSONTreeChange": hasPrimaryKey(["slot"])
    case "JSONTreeIndex": hasPrimaryKey(["id"])
    case "JSONTreeIndexPlace": hasPrimaryKey(["index", "segment", "place"])
    case "JSONTreeIndexEntry": hasPrimaryKey(["number", "text"])
    default: false
    }
  }

  private func hasPrimaryKey(_ names: [String]) -> Bool { primaryKey.map { column($0)?.name } == names }
}
