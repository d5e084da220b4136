/// Evaluates a full-text query on texts, one after another, and reuses its storage. It belongs to one thread.
final class FullTextMatcher {
  private let query: FullTextQuery
  /// The words of the query without duplicates: first whole words, then prefixes, each sorted by their bytes.
  private let terms: [FullTextQuery.Term]
  /// The indexes of the whole words in `terms`.
  private let wholes: Range<Int>
  /// The indexes of the prefixes in `terms`.
  private let beginnings: Range<Int>
  /// The lengths of the prefixes in ascending order.
  private let lengths: [Int]
  /// For each clause, the indexes of its words in `terms`.
  private let clauses: [[Int]]
  private let needsPositions: Bool
  private var tokenizer = Tokenizer()
  private var counts: [Int]
  private var positions: [[Int]]

  init(_ query: FullTextQuery) {
    self.query = query
    let terms = Set(query.clauses.flatMap(\.terms)).sorted {
      $0.isPrefix == $1.isPrefix ? $0.bytes.lexicographicallyPrecedes($1.bytes) : $1.isPrefix
    }
    wholes = 0..<(terms.firstIndex(where: \.isPrefix) ?? terms.count)
    beginnings = wholes.upperBound..<terms.count
    lengths = Set(terms[beginnings].map(\.bytes.count)).sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(terms, terms.indices))
    clauses = query.clauses.map { $0.terms.compactMap { places[$0] } }
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
      if let index = place(of: token.bytes, in: wholes) { note(index, token.position) }
      for length in lengths where length <= token.bytes.count {
        let beginning = UnsafeRawBufferPointer(rebasing: token.bytes[..<length])
        if let index = place(of: beginning, in: beginnings) { note(index, token.position) }
      }
      return true
    }
    for (index, clause) in query.clauses.enumerated() where holds(clause, clauses[index]) == clause.isExcluded
    {
      return false
    }
    return true
  }

  private func note(_ index: Int, _ position: Int) {
    counts[index] += 1
    if needsPositions { positions[index].append(position) }
  }

  /// Returns the index of a word in `terms`, or `nil` if the query does not contain the word.
  private func place(of word: UnsafeRawBufferPointer, in places: Range<Int>) -> Int? {
    var (low, high) = (places.lowerBound, places.upperBound)
    while low < high {
      let middle = (low + high) / 2
      let order = terms[middle].bytes.withUnsafeBytes { word.compare($0) }
      if order == 0 { return middle }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return nil
  }

  private func holds(_ clause: FullTextQuery.Clause, _ indexes: [Int]) -> Bool {
    guard indexes.allSatisfy({ counts[$0] > 0 }) else { return false }
    guard clause.isPhrase, let first = indexes.first else { return true }
    return positions[first].contains { start in
      indexes.indices.allSatisfy { Self.contains(positions[indexes[$0]], start + $0) }
    }
  }

  /// Whether a sorted array contains a position.
  private static func contains(_ positions: [Int], _ wanted: Int) -> Bool {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < positions.count && positions[low] == wanted
  }
}
