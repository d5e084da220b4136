extension TypeEntry {
  /// The names of the classes that only their product writes, each with the columns of its primary key.
  ///
  /// The key is compared as well, so that a class of an application with one of these names stays its own.
  private static let managedKeys: [String: [String]] = [
    "JSONTreeNode": ["segment", "place"],
    "JSONTreeChange": ["slot"],
  ]

  /// Whether only the product that declares the class writes its objects. The catalogue decides this, so that
  /// programs without the product cannot write them either.
  package var isManaged: Bool {
    guard !isEmbedded, let names = Self.managedKeys[name] else { return false }
    return primaryKey.map { column($0)?.name } == names
  }
}
