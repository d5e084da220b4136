import LMDB

/// Finds the objects whose texts match a query, using a full-text index.
///
/// A search belongs to one query in one transaction and to the thread of the transaction. Do not write while
/// one of its methods runs. Its memory does not grow with the number of objects.
struct FullTextSearch {
  /// An object that was found.
  struct Hit: Hashable {
    let key: ObjectKey
    /// The score, which is higher for better matches; 0 if the search does not rank.
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

  /// Returns an estimate of the number of objects with the rarest word. The search finds at most that many
  /// objects.
  func estimatedCount() throws -> Int {
    try query.required.map { try count(of: $0) { try transaction.estimatedCount($0, from: $1, to: $2) } }
      .min()
      ?? 0
  }

  /// Calls `body` with the key of each object that may match, in the order of the keys, until `body` returns
  /// `false`.
  ///
  /// - Parameter key: the key after which the search continues, or `nil` to begin.
  func forEachKey(after key: ObjectKey? = nil, _ body: (ObjectKey) throws -> Bool) throws {
    try search(after: key, weights: nil) { try body($0.key) }
  }

  /// Calls `body` with each object that may match and its score, in the order of the keys, until `body`
  /// returns `false`.
  ///
  /// - Parameter key: the key after which the search continues, or `nil` to begin.
  func forEachHit(after key: ObjectKey? = nil, _ body: (Hit) throws -> Bool) throws {
    try search(after: key, weights: try weights(), body)
  }

  /// Returns the objects with the highest scores in descending order. Objects with equal scores are in the
  /// order of their keys.
  ///
  /// Memory grows with `limit`, and not with the number of matches.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of objects.
  ///   - matches: returns whether an object fulfils the whole condition of the query.
  func best(_ limit: Int, where matches: (ObjectKey) throws -> Bool = { _ in true }) throws -> [Hit] {
    guard limit > 0 else { return [] }
    var best: [Hit] = []
    // Sorting when twice the limit is reached costs less than keeping the hits sorted.
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

  /// Whether the first hit comes before the second.
  static func precedes(_ first: Hit, _ second: Hit) -> Bool {
    first.score != second.score ? first.score > second.score : first.key < second.key
  }

  // MARK: The search

  private struct Weights {
    let ranking: FullTextRanking
    /// The weight of each required word.
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

  /// Returns the number of texts with a word, or with any word that has a prefix.
  private func textsWith(_ term: FullTextQuery.Term) throws -> Int {
    if !term.isPrefix { return try count(of: term) { try transaction.exactCount($0, from: $1, to: $2) } }
    // A text that contains several of the words counts once.
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

  /// The excluded words that can be checked in the index.
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
    // The smallest key after a key is the key followed by a zero.
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
