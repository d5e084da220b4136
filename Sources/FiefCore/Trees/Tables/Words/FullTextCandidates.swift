import LMDB

/// The objects that a full-text index finds for the words of a query.
struct FullTextCandidates: IndexCandidates {
  let query: FullTextQuery
  let index: Table.Index

  var isSearchable: Bool { query.isSearchable }
  var isExact: Bool { index.columns.count == 1 && !query.hasPhrases }

  private func search(in transaction: LMDB.Transaction) -> FullTextSearch {
    FullTextSearch(query, index: index, transaction: transaction)
  }

  func estimatedCount(in transaction: LMDB.Transaction) throws -> Int {
    try search(in: transaction).estimatedCount()
  }

  func forEachKey(in transaction: LMDB.Transaction, _ body: (ObjectKey) throws -> Bool) throws {
    try search(in: transaction).forEachKey(body)
  }

  func ranked(
    bestFirst: Bool,
    limit: Int?,
    in transaction: LMDB.Transaction,
    where holds: (ObjectKey) throws -> Bool
  ) throws -> [ObjectKey] {
    let search = search(in: transaction)
    if let limit, bestFirst { return try search.best(limit, where: holds).map(\.key) }
    var hits: [FullTextSearch.Hit] = []
    try search.forEachHit { hit in
      if try holds(hit.key) { hits.append(hit) }
      return true
    }
    // Objects with equal scores are in ascending order of their keys in both directions.
    hits.sort { first, second in
      if first.score == second.score { return first.key < second.key }
      return (first.score > second.score) == bestFirst
    }
    return (limit.map { hits.prefix($0) } ?? hits[...]).map(\.key)
  }
}

extension FullTextQuery: IndexRequest {}
