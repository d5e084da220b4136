/// Looks for the words of a query in texts; one at a time, with storage that is used again.
///
/// A matcher is used by one thread.
final class FullTextMatcher {
  private let query: FullTextQuery
  private let terms: [FullTextQuery.Term]
  /// The numbers in `terms` of the words of each clause.
  private let clauses: [[Int]]
  private let needsPositions: Bool
  private var tokenizer = Tokenizer()
  private var counts: [Int]
  private var positions: [[Int]]

  init(_ query: FullTextQuery) {
    self.query = query
    var terms: [FullTextQuery.Term] = []
    clauses = query.clauses.map { clause in
      clause.terms.map { term in
        if let known = terms.firstIndex(of: term) { return known }
        terms.append(term)
        return terms.count - 1
      }
    }
    self.terms = terms
    needsPositions = query.hasPhrases
    counts = Array(repeating: 0, count: terms.count)
    positions = Array(repeating: [], count: needsPositions ? terms.count : 0)
  }

  /// Whether a text matches.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if query.isEmpty { return false }
    for index in counts.indices { counts[index] = 0 }
    for index in positions.indices { positions[index].removeAll(keepingCapacity: true) }
    tokenizer.forEach(text) { token in
      for index in terms.indices where Self.fits(token.bytes, terms[index]) {
        counts[index] += 1
        if needsPositions { positions[index].append(token.position) }
      }
      return true
    }
    for (index, clause) in query.clauses.enumerated() where holds(clause, clauses[index]) == clause.isExcluded
    {
      return false
    }
    return true
  }

  private static func fits(_ token: UnsafeRawBufferPointer, _ term: FullTextQuery.Term) -> Bool {
    guard term.isPrefix ? token.count >= term.bytes.count : token.count == term.bytes.count else {
      return false
    }
    return token.starts(with: term.bytes)
  }

  private func holds(_ clause: FullTextQuery.Clause, _ indexes: [Int]) -> Bool {
    guard indexes.allSatisfy({ counts[$0] > 0 }) else { return false }
    guard clause.isPhrase, let first = indexes.first else { return true }
    return positions[first].contains { start in
      indexes.indices.allSatisfy { Self.contains(positions[indexes[$0]], start + $0) }
    }
  }

  /// Positions come in their order.
  private static func contains(_ positions: [Int], _ wanted: Int) -> Bool {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < positions.count && positions[low] == wanted
  }
}
