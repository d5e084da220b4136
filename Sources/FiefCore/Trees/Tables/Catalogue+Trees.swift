import LMDB

extension TypeEntry {
  /// The names of the trees of the type: of its records, its backlinks and its indexes.
  package var treeNames: [String] {
    guard !isEmbedded else { return [] }
    var names = [tree]
    for column in currentColumns where column.type.isLink { names.append(column.backlinkTree(of: self)) }
    for index in indexes { names.append(indexTree(index)) }
    return names
  }
}

extension Catalogue {
  /// The catalogue of a store as a transaction sees it; nil before there is one.
  static func stored(in tree: Database, of transaction: LMDB.Transaction) throws -> Catalogue? {
    try key.withUnsafeBytes { try transaction.get(tree, $0).map { try decode($0) } }
  }

  /// The names of the trees of all types.
  var treeNames: [String] { types.flatMap(\.treeNames) }

  static func missingTree(_ name: String) -> FiefError {
    FiefError(.damagedStore, "A tree that the catalogue names is missing.", details: [name])
  }

  /// Throws where a tree of the stored catalogue is missing, before a migration or a journal makes the trees that it needs, or a copy
  /// takes the place of the file: the objects of a lost tree would be gone.
  func checkTrees(in transaction: LMDB.Transaction) throws {
    for name in treeNames where try transaction.database(named: name) == nil {
      throw Self.missingTree(name)
    }
    try checkCollectionTree(in: transaction)
  }

  /// Throws where the tree of large collections has lost its name: the catalogue does not say whether there is one, and the tree is then
  /// there with a name that is in no catalogue.
  func checkCollectionTree(in transaction: LMDB.Transaction) throws {
    guard try transaction.database(named: LargeCollection.treeName) == nil else { return }
    let known = Set([Self.treeName] + treeNames)
    guard let name = try transaction.databaseNames().first(where: { !known.contains($0) }) else { return }
    throw FiefError(.damagedStore, "The store has a tree that its catalogue does not name.", details: [name])
  }
}
