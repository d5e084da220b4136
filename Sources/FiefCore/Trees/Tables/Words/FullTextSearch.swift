import LMDB

/// Finds the objects whose texts match a query, along a full-text index.
///
/// A search belongs to one query in one transaction, and to its thread; nothing may be written while a call
/// runs. Memory does not grow with the number of objects.
struct FullTextSearch {
  /// An object that was found.
  struct Hit: Hashable {
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

  /// Whether every object that is found matches; otherwise its texts have to be checked.
  var isExact: Bool { index.columns.count == 1 && !query.hasPhrases }

  /// About how many objects are found, at most: those of the rarest word.
  func estimatedCount() throws -> Int {
    try query.required.map { try count(of: $0) { try transaction.estimatedCount($0, from: $1, to: $2) } }
      .min()
      ?? 0
  }

  /// Calls `body` with the key of each object that may match, in the order of the keys, until that returns false.
  ///
  /// - Parameter key: the last key that was handed out before; nil to begin.
  func forEachKey(after key: ObjectKey? = nil, _ body: (ObjectKey) throws -> Bool) throws {
    try search(after: key, weights: nil) { try body($0.key) }
  }

  /// Calls `body` with each object that may match and its score, in the order of the keys, until that returns
  /// false.
  ///
  /// - Parameter key: the last key that was handed out before; nil to begin.
  func forEachHit(after key: ObjectKey? = nil, _ body: (Hit) throws -> Bool) throws {
    try search(after: key, weights: try weights(), body)
  }

  /// The objects that fit best, the best first, those of the same score in the order of their keys; in memory
  /// are so many, however many match.
  ///
  /// - Parameters:
  ///   - limit: the number of objects that are wanted.
  ///   - matches: whether an object that was found is one of the query's.
  func best(_ limit: Int, where matches: (ObjectKey) throws -> Bool = { _ in true }) throws -> [Hit] {
    guard limit > 0 else { return [] }
    var best: [Hit] = []
    // Sorted when twice as many are there, which costs less than keeping them in order.
    func shorten() {
      best.sort(by: Self.precedes)
      if best.count > limit { best.removeSubrange(limit...) }
    }
    var bound: Hit?
    try forEachHit { hit in
      if let bound, !Self.precedes(hit, bound) { return true }
      guard try matches(hit.key) else { return true }
      best.append(hit)
      if best.count >= max(limit * 2, 64) {
        shorten()
        bound = best.count == limit ? best.last : nil
      }
      return true
    }
    shorten()
    return best
  }

  /// Whether a hit comes before another one.
  static func precedes(_ first: Hit, _ second: Hit) -> Bool {
    first.score != second.score ? first.score > second.score : first.key < second.key
  }

  // MARK: The search

  private struct Weights {
    let ranking: FullTextRanking
    /// The weights by the numbers of the required words.
    let weights: [Double]
  }

  private func weights() throws -> Weights {
    let totals = try FullTextEntry.totals(of: index.database, in: transaction)
    let ranking = FullTextRanking(texts: totals.texts, words: totals.words)
    return Weights(
      ranking: ranking,
      weights: try query.required.map { term in
        ranking.weight(textsWithWord: try textsWith(term))
      }
    )
  }

  /// The number of texts that have a word, or one with a beginning.
  private func textsWith(_ term: FullTextQuery.Term) throws -> Int {
    if !term.isPrefix { return try count(of: term) { try transaction.exactCount($0, from: $1, to: $2) } }
    // A text may have several of the words, and is one all the same.
    let postings = try Postings.make(term, in: index.database, transaction)
    var count = 0
    var wanted: [UInt8] = []
    while try postings.move(atOrAfter: wanted) {
      count += 1
      wanted = postings.second + [0]
    }
    return count
  }

  private func count(
    of term: FullTextQuery.Term,
    _ count: (Database, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Int
  ) throws -> Int {
    let start = FullTextEntry.prefix(of: term)
    guard let end = keySuccessor(ofPrefix: start) else { return 0 }
    return try start.withUnsafeBytes { start in
      try end.withUnsafeBytes { try count(index.database, start, $0) }
    }
  }

  /// The words of the excluded clauses that the index can check.
  private var excluded: [FullTextQuery.Term] {
    guard index.columns.count == 1 else { return [] }
    return query.clauses.compactMap { $0.isExcluded && $0.terms.count == 1 ? $0.terms[0] : nil }
  }

  private func search(after last: ObjectKey?, weights: Weights?, _ body: (Hit) throws -> Bool) throws {
    let terms = query.required
    if terms.isEmpty { return }
    let postings = try terms.map { try Postings.make($0, in: index.database, transaction) }
    let excluded = try excluded.map { try Postings.make($0, in: index.database, transaction) }
    let order = try terms.indices.map { position in
      try (position, count(of: terms[position]) { try transaction.estimatedCount($0, from: $1, to: $2) })
    }.sorted { $0.1 < $1.1 }.map(\.0)
    let rarest = postings[order[0]]
    // The next possible key behind a key is the key and a zero.
    var wanted = last.map { CompositeKey.second($0.bytes) + [0] } ?? []
    next: while try rarest.move(atOrAfter: wanted) {
      for position in order.dropFirst() {
        guard try postings[position].move(atOrAfter: rarest.second) else { return }
        if postings[position].second != rarest.second {
          wanted = postings[position].second
          continue next
        }
      }
      wanted = rarest.second + [0]
      for postings in excluded
      where try postings.move(atOrAfter: rarest.second) && postings.second == rarest.second { continue next }
      var score = 0.0
      if let weights {
        for position in postings.indices {
          score += weights.ranking.score(
            weight: weights.weights[position],
            frequency: postings[position].count,
            length: postings[position].length
          )
        }
      }
      guard try body(Hit(key: ObjectKey(bytes: rarest.objectKey), score: score)) else { return }
    }
  }
}
