import LMDB

/// The rows of results in the state in which a handler is handed them, so that the object at a place is looked up and not
/// searched for.
final class KnownRows: Sendable {
  private let rows: ObservedRows
  private let description: QueryDescription
  private let commit: UInt64

  init(_ rows: ObservedRows, of description: QueryDescription, commit: UInt64) {
    self.rows = rows
    self.description = description
    self.commit = commit
  }

  /// The rows, where they are those of a description in a state.
  func rows(of description: QueryDescription, in transaction: LMDB.Transaction) -> ObservedRows? {
    transaction.id == commit && description == self.description ? rows : nil
  }
}

extension Results {
  /// The results as a handler sees them.
  func handedOut(in scope: Snapshot, _ follower: any CollectionFollower) throws -> Results {
    var results = rebound(to: scope.context)
    if let follower = follower as? RowsFollower {
      let commit = try scope.liveTransaction().id
      results.known = KnownRows(follower.rows, of: description, commit: commit)
    }
    return results
  }

  /// The object at a place of rows that are known.
  ///
  /// - Returns: nil where they are not known any more; nil in it beyond their end.
  func knownObject(at index: Int) throws -> Element?? {
    guard let known, let scope = context.currentScope as? Snapshot else { return nil }
    guard let rows = known.rows(of: description, in: try scope.liveTransaction()) else { return nil }
    let binding = try scope.store.binding(of: elementType)
    let object = try rows.withKey(at: index) { try scope.object(of: binding, key: $0) }
    return .some((object ?? nil)?.cast(to: Element.self))
  }
}
