import Fief
import Foundation
import TestEffort
import Testing

/// Texts that are found, in the order of their scores, against a search that is written out here.
@Suite(.timeLimit(.minutes(20))) struct FullTextRankingTests {
  /// A part of a query, and the words that it means.
  private enum Part {
    case word(String), prefix(String), phrase(String, String), excluded(String)

    var text: String {
      switch self {
      case .word(let word): word
      case .prefix(let start): start + "*"
      case .phrase(let first, let second): "\"\(first) \(second)\""
      case .excluded(let word): "-" + word
      }
    }

    func holds(_ words: [String]) -> Bool {
      switch self {
      case .word(let word): words.contains(word)
      case .prefix(let start): words.contains { $0.hasPrefix(start) }
      case .phrase(let first, let second):
        zip(words, words.dropFirst()).contains { $0 == first && $1 == second }
      case .excluded(let word): !words.contains(word)
      }
    }

    /// The terms that the score counts: whole words, and beginnings of some.
    var terms: [(text: String, isPrefix: Bool)] {
      switch self {
      case .word(let word): [(word, false)]
      case .prefix(let start): [(start, true)]
      case .phrase(let first, let second):
        first == second ? [(first, false)] : [(first, false), (second, false)]
      case .excluded: []
      }
    }
  }

  private static let vocabulary = ["apple", "apply", "tree", "trees", "pear", "plum", "cherry", "fig"]

  /// Okapi BM25, k1 = 1.2 and b = 0.75, with the logarithm of 1 and the odds.
  private func scores(_ parts: [Part], _ texts: [[String]]) -> [(id: Int, score: Double)] {
    let filled = texts.filter { !$0.isEmpty }
    let count = Double(filled.count)
    let average = Double(filled.map(\.count).reduce(0, +)) / count
    var terms: [(text: String, isPrefix: Bool)] = []
    for term in parts.flatMap(\.terms) where !terms.contains(where: { $0 == term }) { terms.append(term) }
    func frequency(_ term: (text: String, isPrefix: Bool), _ words: [String]) -> Int {
      words.count { term.isPrefix ? $0.hasPrefix(term.text) : $0 == term.text }
    }
    return texts.enumerated().filter { _, words in parts.allSatisfy { $0.holds(words) } }
      .map { id, words in
        var score = 0.0
        for term in terms {
          let having = Double(filled.count { frequency(term, $0) > 0 })
          let weight = log(1 + (count - having + 0.5) / (having + 0.5))
          let often = Double(frequency(term, words))
          score += weight * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * Double(words.count) / average))
        }
        return (id, score)
      }
  }

  private func parts(_ random: inout MigrationRandom) -> [Part] {
    func word() -> String { Self.vocabulary[Int.random(in: 0..<Self.vocabulary.count, using: &random)] }
    var parts: [Part] = []
    switch Int.random(in: 0..<4, using: &random) {
    case 0: parts.append(.prefix(String(word().prefix(3))))
    case 1: parts.append(.phrase(word(), word()))
    default: parts.append(.word(word()))
    }
    if Bool.random(using: &random) { parts.append(.word(word())) }
    if Int.random(in: 0..<3, using: &random) == 0 { parts.append(.excluded(word())) }
    return parts
  }

  @Test func theBestComeFirst() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = MigrationRandom(seed: seed)
    try IndexedRepository.forBoth { repository in
      let texts = (0..<200).map { _ in
        (0..<Int.random(in: 0..<12, using: &random)).map { _ in
          Self.vocabulary[Int.random(in: 0..<Self.vocabulary.count, using: &random)]
        }
      }
      try repository.saveNow(
        texts.enumerated().map { id, words in IndexedMember(id) { $0.note = words.joined(separator: " ") } }
      )
      var found = 0
      for round in 0..<TestEffort.count(15, more: 40) {
        let parts = parts(&random)
        let query = parts.map(\.text).joined(separator: " ")
        let place: Comment = "seed \(seed), round \(round): \(query)"
        let expected = scores(parts, texts)
        let scores = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0.score) })
        try repository.read { snapshot in
          let results = snapshot.objects(IndexedMember.self).where { $0.note.matches(query) }
          #expect(results.map(\.id) == expected.map(\.id), place)
          let ranked = results.sortedByRelevance()
          let ids = ranked.map(\.id)
          #expect(Set(ids) == Set(scores.keys) && ids.count == scores.count, place)
          for (one, next) in zip(ids, ids.dropFirst()) {
            let (better, worse) = (scores[one] ?? 0, scores[next] ?? 0)
            // Sums of the same numbers in another order may differ in their last bits.
            #expect(better > worse - 1e-12, place)
            if better == worse { #expect(one < next, place) }
          }
          #expect(ranked.limit(5).map(\.id) == Array(ids.prefix(5)), place)
          found += ids.count
        }
      }
      #expect(found > TestEffort.count(20, more: 100), "seed \(seed)")
    }
  }

  /// Languages that do not separate words, by pairs of characters.
  @Test(
    arguments: [
      ("東京", [0, 1, 4]), ("京都", [0, 2]), ("東京都", [0]), ("京", [0, 1, 2, 4]), ("都", [0, 2]),
      ("東京 -京都", [1, 4]), ("\"東京 tower\"", [4]), ("東京 tow*", [4]), ("ひらがな", [3]), ("大阪", []),
      ("한국", [5]), ("\"한국어 검색\"", [5]), ("TOWER 東京", [4]),
    ] as [(String, [Int])]
  )
  func pairsOfCharacters(query: String, expected: [Int]) throws {
    let texts = ["東京都庁", "東京駅", "京都の寺", "ひらがなで", "東京 Tower", "한국어 검색"]
    try IndexedRepository.forBoth { repository in
      try repository.saveNow(texts.enumerated().map { id, text in IndexedMember(id) { $0.note = text } })
      try repository.read { snapshot in
        let results = snapshot.objects(IndexedMember.self).where { $0.note.matches(query) }
        #expect(results.map(\.id) == expected)
        #expect(results.sortedByRelevance().map(\.id).sorted() == expected)
      }
    }
  }
}
