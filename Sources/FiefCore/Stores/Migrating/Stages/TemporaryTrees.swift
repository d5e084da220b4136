import LMDB

/// Trees for a migration's notes about each object, so that memory use does not grow with the number of
/// objects.
///
/// They are created in the migration's transaction and dropped at its end, so no commit contains them.
final class TemporaryTrees {
  let transaction: LMDB.WritableTransaction
  private var trees: [String: Database] = [:]

  init(_ transaction: LMDB.WritableTransaction) { self.transaction = transaction }

  /// Returns the tree with a name, and creates it if necessary.
  func tree(_ name: String) throws -> Database {
    if let known = trees[name] { return known }
    let tree = try transaction.openDatabase(named: "fief:migration:\(name)")
    trees[name] = tree
    return tree
  }

  /// Returns the tree with a name, or `nil` if it does not exist.
  func existing(_ name: String) -> Database? { trees[name] }

  /// Returns the value of a key, or `nil` if the key or the tree does not exist.
  func value(_ key: UnsafeRawBufferPointer, in name: String) throws -> [UInt8]? {
    guard let tree = trees[name] else { return nil }
    return try transaction.get(tree, key).map { [UInt8]($0) }
  }

  /// Empties the trees and drops them at the commit.
  func dropAll() throws {
    for tree in trees.values { try transaction.drop(tree) }
    trees = [:]
  }
}
