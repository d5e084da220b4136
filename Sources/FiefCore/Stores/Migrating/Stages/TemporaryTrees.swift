import LMDB

/// Trees for the notes of a migration about each object: memory must not grow with their number.
///
/// They are made in the migration's transaction and dropped at its end, so that no commit has them.
final class TemporaryTrees {
  let transaction: LMDB.WritableTransaction
  private var trees: [String: Database] = [:]

  init(_ transaction: LMDB.WritableTransaction) { self.transaction = transaction }

  /// The tree with a name; it is made where there is none.
  func tree(_ name: String) throws -> Database {
    if let known = trees[name] { return known }
    let tree = try transaction.openDatabase(named: "fief:migration:\(name)")
    trees[name] = tree
    return tree
  }

  /// The tree with a name; nil where there is none.
  func existing(_ name: String) -> Database? { trees[name] }

  /// The value of a key; nil where there is no such tree either.
  func value(_ key: UnsafeRawBufferPointer, in name: String) throws -> [UInt8]? {
    guard let tree = trees[name] else { return nil }
    return try transaction.get(tree, key).map { [UInt8]($0) }
  }

  /// Empties the trees, which the commit drops.
  func dropAll() throws {
    for tree in trees.values { try transaction.drop(tree) }
    trees = [:]
  }
}
