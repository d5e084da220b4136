import LMDB

extension TypeEntry {
  /// The names of the type's trees: records, backlinks and indexes.
  package var treeNames: [String] {
    guard !isEmbedded else { return [] }
    var names = [tree]
    for column in currentColumns where column.type.isLink { names.append(column.backlinkTree(of: self)) }
    for index in indexes { names.append(indexTree(index)) }
    return names
  }
}

extension Catalogue {
  /// Returns the catalogue of a store in a transaction, or `nil` if no catalogue was written yet.
  static func stored(in tree: Database, of transaction: LMDB.Transaction) throws -> Catalogue? {
    try key.withUnsafeBytes { try transaction.get(tree, $0).map { try decode($0) } }
  }

  /// The names of the trees of all types.
  var treeNames: [String] { types.flatMap(\.treeNames) }

  static func missingTree(_ name: String) -> FiefError {
    FiefError(.damagedStore, "A tree listed in the catalogue is missing.", details: [name])
  }

  /// Throws an error if a tree of the stored catalogue is missing. Called before a migration or a journal
  /// creates the trees that it needs, and before a copy replaces the file. Otherwise the objects of a lost
  /// tree would disappear silently.
  func checkTrees(in transaction: LMDB.Transaction) throws {
    for name in treeNames where try transaction.database(named: name) == nil {
      throw Self.missingTree(name)
    }
    try checkCollectionTree(in: transaction)
  }

  /// Throws an error if the tree of large collections has lost its name. The catalogue does not record
  /// whether the store has such a tree. If the name is damaged, the tree appears under a name that is not in
  /// the catalogue.
  func checkCollectionTree(in transaction: LMDB.Transaction) throws {
    guard try transaction.database(named: Catalogue.collectionTreeName) == nil else { return }
    let known = Set([Self.treeName] + treeNames)
    guard let name = try transaction.databaseNames().first(where: { !known.contains($0) }) else { return }
    throw FiefError(.damagedStore, "The store has a tree that its catalogue does not list.", details: [name])
  }
}
