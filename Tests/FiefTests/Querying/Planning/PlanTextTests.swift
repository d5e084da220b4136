import Fief
import Foundation
import Testing

@testable import FiefCore

/// Full-text conditions, and the order by relevance, as access paths.
@Suite(.timeLimit(.minutes(20)))
struct PlanTextTests {
  private static let words = ["red", "green", "blue", "dog", "cat", "bird", "runs", "sleeps"]

  private struct Values {
    let id: Int
    let title: String
    let body: String?
    let note: String
    let rank: Int
  }

  private let directory: TemporaryDirectory
  private let values: [Values]
  private let seed = UInt64.random(in: 0..<1 << 32)

  init() throws {
    directory = try TemporaryDirectory()
    var random = PlanRandom(seed: seed)
    func text(_ most: Int) -> String {
      (0..<random.chance(most + 1)).map { _ in random.pick(Self.words) }.joined(separator: " ")
    }
    values = (1...300).map { id in
      // One word that few texts have.
      let title = text(8) + (id % 50 == 0 ? " zebra zebra" : id % 70 == 0 ? " zebra" : "")
      return Values(
        id: id,
        title: title,
        body: id % 4 == 0 ? nil : text(12) + (id % 60 == 0 ? " rare" : ""),
        note: id % 90 == 1 ? "rare" : "",
        rank: id % 3
      )
    }
  }

  private func store(_ inMemory: Bool) throws -> PlannedRepository {
    let repository = PlannedRepository(directory, inMemory: inMemory)
    try repository.store().write { scope in
      for value in values {
        let text = PlannedText()
        text.id = value.id
        text.title = value.title
        text.body = value.body
        text.note = value.note
        text.rank = value.rank
        try scope.add(text)
      }
    }
    return repository
  }

  private static func has(_ text: String?, _ word: String) -> Bool {
    text?.split(separator: " ").contains { $0 == word } ?? false
  }

  @Test(arguments: [true, false]) func oneColumnAnswersTheCondition(inMemory: Bool) throws {
    let repository = try store(inMemory)
    defer { repository.closeChecked() }
    let texts = repository.store().objects(PlannedText.self)
    let results = texts.where { $0.title.matches("zebra") }
    #expect(try results.explain().access == .fullText(["title"]))
    #expect(try results.explain().condition == nil)
    #expect(try results.explain(.count).isIndexOnly)
    let expected = values.filter { Self.has($0.title, "zebra") }
    #expect(results.map(\.id) == expected.map(\.id), "seed \(seed)")
    #expect(results.count == expected.count && !expected.isEmpty, "seed \(seed)")
    // A phrase is searched in the texts.
    let phrase = texts.where { $0.title.matches("\"zebra zebra\"") }
    #expect(try phrase.explain().access == .fullText(["title"]))
    #expect(try phrase.explain().condition != nil)
    #expect(try !phrase.explain(.count).isIndexOnly)
    #expect(phrase.map(\.id) == values.filter { $0.title.contains("zebra zebra") }.map(\.id), "seed \(seed)")
    // The rest of the condition is checked on the objects.
    let ranked = results.where { $0.rank == 1 }
    #expect(try ranked.explain().condition == "rank == 1")
    #expect(ranked.map(\.id) == expected.filter { $0.rank == 1 }.map(\.id), "seed \(seed)")
  }

  @Test(arguments: [true, false]) func severalColumnsAreLookedAtAgain(inMemory: Bool) throws {
    let repository = try store(inMemory)
    defer { repository.closeChecked() }
    let texts = repository.store().objects(PlannedText.self)
    let results = texts.where { $0.body.matches("rare") }
    #expect(try results.explain().access == .fullText(["body", "note"]))
    #expect(try results.explain().condition != nil)
    #expect(try !results.explain(.count).isIndexOnly)
    // Some have the word in the other column.
    let expected = values.filter { Self.has($0.body, "rare") }.map(\.id)
    #expect(values.contains { Self.has($0.note, "rare") && !Self.has($0.body, "rare") })
    #expect(results.map(\.id) == expected && results.count == expected.count, "seed \(seed)")
    let either = texts.where { $0.title.matches("zebra") || $0.body.matches("rare") }
    #expect(try either.explain().access == .union([.fullText(["title"]), .fullText(["body", "note"])]))
    let both = values.filter { Self.has($0.title, "zebra") || Self.has($0.body, "rare") }.map(\.id)
    #expect(either.map(\.id) == both, "seed \(seed)")
  }

  @Test(arguments: [true, false]) func theBestAreThoseOfARankingByScan(inMemory: Bool) throws {
    let repository = try store(inMemory)
    defer { repository.closeChecked() }
    let texts = repository.store().objects(PlannedText.self)
    for query in ["dog", "zebra", "red dog", "dog cat blue"] {
      let words = query.split(separator: " ").map(String.init)
      let all = ranking(words)
      let results = texts.where { $0.title.matches(query) }.sortedByRelevance()
      #expect(try results.explain().access == .fullText(["title"]))
      #expect(try results.explain().order == .found)
      #expect(results.map(\.id) == all, "\(query), seed \(seed)")
      for count in [0, 1, 3, 10, 1000] {
        let best = results.limit(count).map(\.id)
        #expect(best == Array(all.prefix(count)), "\(query), \(count), seed \(seed)")
      }
      #expect(
        results.offset(2).limit(3).map(\.id) == Array(all.dropFirst(2).prefix(3)),
        "\(query), seed \(seed)"
      )
      let some = texts.where { $0.title.matches(query) && $0.rank == 1 }.sortedByRelevance().limit(4)
      let rank = Dictionary(uniqueKeysWithValues: values.map { ($0.id, $0.rank) })
      #expect(some.map(\.id) == Array(all.filter { rank[$0] == 1 }.prefix(4)), "\(query), seed \(seed)")
    }
    let wrong = texts.where { $0.rank == 1 }.sortedByRelevance()
    #expect(throws: FiefError.self) { try wrong.all() }
  }

  /// The objects that have all of some words in their title, by the formula of BM25 on all titles.
  private func ranking(_ words: [String]) -> [Int] {
    let titles = values.map { (id: $0.id, words: $0.title.split(separator: " ").map(String.init)) }
    let ranking = FullTextRanking(
      texts: titles.count { !$0.words.isEmpty },
      words: titles.reduce(0) { $0 + $1.words.count }
    )
    let weights = words.map { word in
      ranking.weight(textsWithWord: titles.count { $0.words.contains(word) })
    }
    var scores: [(id: Int, score: Double)] = []
    for title in titles where words.allSatisfy(title.words.contains) {
      var score = 0.0
      for (word, weight) in zip(words, weights) {
        let frequency = title.words.count { $0 == word }
        score += ranking.score(weight: weight, frequency: frequency, length: title.words.count)
      }
      scores.append((title.id, score))
    }
    return scores.sorted { ($1.score, $0.id) < ($0.score, $1.id) }.map(\.id)
  }
}
