import FiefCore
import LMDB

extension DatabaseConfigurable {
  /// Returns the unfinished writes to several stores in which the store takes part. The array is usually
  /// empty.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened or read.
  public func unfinishedWrites() throws -> [InDoubtTransaction] {
    let core = try store().core()
    return try core.read { try JointRows.unfinished(core.tables.catalogueTree, in: $0) }
  }

  /// Abandons the unfinished writes to several stores in this store. Changes that wait for another store's
  /// decision are dropped, as if the write had failed. Changes that other stores still need from this store
  /// are deleted.
  ///
  /// Call this only if the other stores are permanently gone. Otherwise the stores may end up with one part
  /// of a write but not the others.
  ///
  /// - Returns: the abandoned writes.
  /// - Throws: ``FiefError`` if the store cannot be opened or written to.
  @discardableResult
  public func abandonUnfinishedWrites() throws -> [InDoubtTransaction] {
    let core = try store().core()
    if core.isReadOnly { throw core.readOnlyError }
    try core.checkNoTransaction()
    try core.checkNoOtherWrite()
    return try core.queue().withTurn {
      do {
        return try core.environment.write { transaction in
          let tree = core.tables.catalogueTree
          let unfinished = try JointRows.unfinished(tree, in: transaction)
          var keys: [[UInt8]] = []
          try JointRows.forEach(JointRows.prefix, tree, in: transaction) { key, _ in keys.append(Array(key)) }
          for key in keys { try JointRows.delete(key, tree, in: transaction) }
          return unfinished
        }
      } catch {
        throw core.described(error)
      }
    }
  }
}
