import Foundation
import LMDB

/// A store's part of an unfinished write to several stores: the outcome is unknown, or another store has not
/// applied its part yet.
public struct InDoubtTransaction: Sendable, Hashable {
  /// The role of the store in the write.
  public enum Role: String, Sendable, Hashable, CaseIterable {
    /// Another store may have decided on a change to this store.
    case participant
    /// This store has decided on a change to another store.
    case coordinator
  }

  /// The identifier of the write, the same in all of its stores.
  public let id: UUID
  /// The role of the store in the write.
  public let role: Role
  /// The name of the other store.
  public let otherStore: String
  /// The path from the store's directory to the directory of the other store.
  public let relativePath: String
  /// The time at which the write began.
  public let date: Date

  init(_ row: JointRows.Row, _ role: Role) {
    id = row.id
    self.role = role
    otherStore = row.other.name
    relativePath = row.other.path
    date = Date(timeIntervalSince1970: Double(row.time))
  }
}

extension InDoubtTransaction: CustomStringConvertible {
  /// The role of the store in the write, and the other store.
  public var description: String {
    switch role {
    case .participant: "a write to several stores waits for the decision of '\(otherStore)' (\(relativePath))"
    case .coordinator:
      "'\(otherStore)' (\(relativePath)) has not yet completed its part of a write to several stores"
    }
  }
}

extension JointRows {
  /// Returns the unfinished parts of writes in a readable form.
  package static func unfinished(_ tree: Database, in transaction: LMDB.Transaction) throws
    -> [InDoubtTransaction]
  {
    try rows(markers, tree, in: transaction).map { InDoubtTransaction($0, .participant) }
      + rows(heads, tree, in: transaction).map { InDoubtTransaction($0, .coordinator) }
  }

  /// Returns the problems of the rows. Every piece of a journal must belong to a head and be undamaged, and
  /// every head must have its pieces.
  package static func problems(_ tree: Database, in transaction: LMDB.Transaction) throws -> [String] {
    var expected: [[UInt8]] = []
    do {
      for head in try rows(heads, tree, in: transaction) {
        expected += (0..<head.pieces).map { pieceKey(head.id, head.participant, $0) }
      }
      _ = try rows(markers, tree, in: transaction)
    } catch let error as FiefError {
      return [error.message]
    }
    var problems: [String] = []
    var found: Set<[UInt8]> = []
    try forEach(pieces, tree, in: transaction) { key, value in
      found.insert(Array(key))
      if (try? contents(of: value)) == nil { problems.append(damaged.message) }
    }
    if found != Set(expected) {
      problems.append("the journal of a write to several stores has missing or extra parts")
    }
    return problems
  }
}
