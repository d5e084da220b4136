import FiefCore
import LMDB

extension DatabaseConfigurable {
  /// What writes to several stores have left in the store; empty as a rule.
  ///
  /// - Throws: ``FiefError`` where the store cannot be opened or read.
  public func unfinishedWrites() throws -> [InDoubtTransaction] {
    let core = try store().core()
    return try core.read { try JointRows.unfinished(core.tables.catalogueTree, in: $0) }
  }

  /// Gives up what writes to several stores have left in the store: what waits for another store is dropped, as
  /// if it had not been decided, and what others have yet to take is forgotten.
  ///
  /// For a store whose others are gone for good. Where they are not, stores may then have one part of a write
  /// without the others.
  ///
  /// - Returns: what was given up.
  /// - Throws: ``FiefError`` where the store cannot be opened or written to.
  @discardableResult
  public func abandonUnfinishedWrites() throws -> [InDoubtTransaction] {
    let core = try store().core()
    if core.isReadOnly { throw core.readOnlyError }
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
