import FiefCore
import LMDB

/// The rows of results in the state passed to a handler. An object is looked up by its row's key instead of
/// running the query.
final class RowCache: RowPlaces {
  private let rows: ObservedRows
  private let description: QueryDescription
  private let commit: UInt64

  init(_ rows: ObservedRows, of description: QueryDescription, commit: UInt64) {
    self.rows = rows
    self.description = description
    self.commit = commit
  }

  func place(
    at index: Int,
    of description: QueryDescription,
    in transaction: LMDB.Transaction,
    _ find: (UnsafeRawBufferPointer) throws -> ObjectBase?
  ) throws -> RowPlace? {
    guard transaction.id == commit, description == self.description else { return nil }
    return RowPlace(object: try rows.withKey(at: index, find) ?? nil)
  }
}

extension Results {
  /// Returns the results as a handler sees them.
  func handedOut(in scope: Snapshot, _ follower: any CollectionFollower) throws -> Results {
    var results = rebound(to: scope.context)
    if let follower = follower as? RowsFollower {
      let commit = try scope.liveTransaction().id
      results.known = RowCache(follower.rows, of: description, commit: commit)
    }
    return results
  }
}
