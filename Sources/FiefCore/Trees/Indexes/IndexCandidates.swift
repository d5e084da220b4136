import LMDB

/// A request of a condition to an index, such as ``FullTextQuery``.
///
/// Each maintainer handles one concrete type of requests.
package protocol IndexRequest: Sendable {}

/// The objects that an index finds for a request.
///
/// A plan keeps candidates, so they keep no transaction open.
package protocol IndexCandidates: Sendable {
  /// The index.
  var index: Table.Index { get }
  /// Whether the index can find the objects. Otherwise a query reads all objects.
  var isSearchable: Bool { get }
  /// Whether each object found fulfils the condition. Otherwise a query evaluates the condition on each of
  /// them.
  var isExact: Bool { get }

  /// Returns an estimate of the number of objects. The actual number is not larger.
  func estimatedCount(in transaction: LMDB.Transaction) throws -> Int

  /// Calls `body` with the key of each object, in the order of the keys, until `body` returns `false`.
  func forEachKey(in transaction: LMDB.Transaction, _ body: (ObjectKey) throws -> Bool) throws

  /// Returns the keys of the objects by relevance. Objects of equal relevance are in the order of their keys.
  ///
  /// - Parameters:
  ///   - bestFirst: whether the most relevant object is the first.
  ///   - limit: the greatest number of keys, or `nil` for all.
  ///   - holds: returns whether an object fulfils the whole condition of the query.
  func ranked(
    bestFirst: Bool,
    limit: Int?,
    in transaction: LMDB.Transaction,
    where holds: (ObjectKey) throws -> Bool
  ) throws -> [ObjectKey]
}

extension Table {
  /// Returns the objects that the first suitable index of a column finds for a request, or `nil` if there is
  /// no such index.
  func candidates(for request: any IndexRequest, in column: ColumnEntry?) -> (any IndexCandidates)? {
    guard let column else { return nil }
    for index in indexes where index.columns.contains(where: { $0.id == column.id }) {
      if let found = index.entry.kind.maintainer?.candidates(for: request, of: index) { return found }
    }
    return nil
  }
}
