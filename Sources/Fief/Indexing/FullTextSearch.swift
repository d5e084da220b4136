import LMDB

/// Finds the objects whose texts match a query, along a full-text index.
///
/// Of one query in one transaction, and on its thread.
struct FullTextSearch {
  /// An object that was found.
  struct Hit {
    let key: ObjectKey
    /// The higher the better; 0 where no ranking was asked for.
    let score: Double
  }

  let query: FullTextQuery
  let index: Table.Index
  let transaction: LMDB.Transaction

  init(_ query: FullTextQuery, index: Table.Index, transaction: LMDB.Transaction) {
    self.query = query
    self.index = index
    self.transaction = transaction
  }

  /// Whether the index narrows the query down: something is looked for, and not only excluded.
  var canSearch: Bool { !query.required.isEmpty }

  /// Whether every object that is found matches; otherwise its texts have to be looked at.
  var isExact: Bool { index.columns.count == 1 && !query.hasPhrases }

  /// At most so many objects are found.
  func estimatedCount() throws -> Int { try transaction.count(index.database) }

  /// Calls `body` with the key of each object that may match, in the order of the keys, until that returns false.
  ///
  /// - Parameter key: the last key that was handed out before; nil to begin.
  func forEachKey(after key: ObjectKey? = nil, _ body: (ObjectKey) throws -> Bool) throws {}

  /// The objects that fit best, the best first, those of the same score in the order of their keys; in memory
  /// are so many, however many match.
  ///
  /// - Parameters:
  ///   - limit: how many are wanted.
  ///   - matches: whether an object that was found is one of the query's.
  func best(_ limit: Int, where matches: (ObjectKey) throws -> Bool = { _ in true }) throws -> [Hit] { [] }
}
