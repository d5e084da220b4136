import Fief
import Foundation
import LMDB
import TestEffort
import Testing

@testable import FiefCore

/// The objects found along a full-text index are those found by comparing all texts.
@Suite(.timeLimit(.minutes(20))) struct FullTextIndexTests {
  private static let vocabulary =
    "apple apples tree trees pear Straße naïve e\u{301}tude 東京 京都 東 大阪城 don't 3.14 x y z"
    .split(separator: " ").map(String.init)

  private static func text(_ random: inout MigrationRandom) -> String {
    (0..<Int.random(in: 0..<8, using: &random)).map { _ in
      vocabulary[Int.random(in: 0..<vocabulary.count, using: &random)]
    }.joined(separator: [" ", ", ", "-"][Int.random(in: 0..<3, using: &random)])
  }

  private static func query(_ random: inout MigrationRandom) -> String {
    (0..<Int.random(in: 1..<4, using: &random)).map { _ in
      let word = vocabulary[Int.random(in: 0..<vocabulary.count, using: &random)]
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return "-" + word
      case 1: return String(word.prefix(2)) + "*"
      case 2: return "\"\(word) \(vocabulary[Int.random(in: 0..<vocabulary.count, using: &random)])\""
      case 3: return "-" + String(word.prefix(1)) + "*"
      default: return word
      }
    }.joined(separator: " ")
  }

  private func search(
    _ text: String,
    _ column: String,
    _ repository: IndexedRepository,
    _ random: inout MigrationRandom,
    _ place: Comment
  ) throws -> [Int] {
    let core = try repository.store().core()
    let table = try #require(core.tables["IndexedMember"])
    let index = try #require(table.indexes.first { $0.entry.kind == .fullText && $0.columnNames == column })
    return try core.read { transaction in
      let query = FullTextQuery(parsing: text)
      let search = FullTextSearch(query, index: index, transaction: transaction)
      let candidates = FullTextCandidates(query: query, index: index)
      #expect(candidates.isExact == !query.hasPhrases, place)
      var keys: [ObjectKey] = []
      try search.forEachKey {
        keys.append($0)
        return true
      }
      #expect(keys == keys.sorted(), place)
      // Beginning again behind each of them gives the rest.
      if let middle = keys.indices.randomElement(using: &random) {
        var rest: [ObjectKey] = []
        try search.forEachKey(after: keys[middle]) {
          rest.append($0)
          return true
        }
        #expect(rest == Array(keys[(middle + 1)...]), place)
      }
      let best = try search.best(3)
      var all: [FullTextSearch.Hit] = []
      try search.forEachHit {
        all.append($0)
        return true
      }
      #expect(all.map(\.key) == keys, place)
      #expect(best == Array(all.sorted(by: FullTextSearch.precedes).prefix(3)), place)
      return keys.compactMap { Int($0.description) }
    }
  }

  @Test func theIndexFindsWhatTheTextsSay() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = MigrationRandom(seed: seed)
    try IndexedRepository.forBoth { repository in
      var texts: [Int: String] = [:]
      for round in 0..<TestEffort.count(8, more: 12) {
        var members: [IndexedMember] = []
        for _ in 0..<20 {
          let id = Int.random(in: 0..<80, using: &random)
          if members.contains(where: { $0.id == id }) { continue }
          let note = Self.text(&random)
          let isNil = Int.random(in: 0..<6, using: &random) == 0
          members.append(
            IndexedMember(id) {
              $0.note = isNil ? nil : note
              $0.about = note
              $0.title = note
              $0.body = "x " + note
            }
          )
          texts[id] = isNil ? nil : note
        }
        try repository.saveNow(members, .all)
        if round % 4 == 3 {
          let gone = texts.keys.filter { $0 % 7 == round % 7 }
          try repository.store().write { try $0.delete(ofType: IndexedMember.self, forPrimaryKeys: gone) }
          for id in gone { texts[id] = nil }
        }
        for number in 0..<20 {
          let text = Self.query(&random)
          let query = FullTextQuery(parsing: text)
          let expected = texts.filter { query.matches($0.value) }.keys.sorted()
          let place: Comment = "seed \(seed), round \(round), query \(number): \(text)"
          let found = try search(text, "note", repository, &random, place)
          if !query.clauses.contains(where: { !$0.isExcluded }) {
            #expect(found == [], place)
          } else if query.hasPhrases {
            #expect(Set(found).isSuperset(of: expected), place)
          } else {
            #expect(found == expected, place)
          }
        }
      }
    }
  }

  @Test func theScoreIsThatOfBM25() throws {
    try IndexedRepository.forBoth { repository in
      let texts = [
        "apple apple tree", "apple", "tree tree tree pear", "nothing of that", "apple pear pear tree x y",
      ]
      try repository.saveNow(texts.enumerated().map { id, text in IndexedMember(id) { $0.note = text } })
      let words = texts.map { $0.split(separator: " ").map(String.init) }
      let average = Double(words.map(\.count).reduce(0, +)) / Double(words.count)
      func score(_ query: [String], _ text: [String]) -> Double {
        query.map { word in
          let containing = Double(words.count { $0.contains(word) })
          let weight = log(1 + (Double(words.count) - containing + 0.5) / (containing + 0.5))
          let frequency = Double(text.count { $0 == word })
          return weight * frequency * 2.2
            / (frequency + 1.2 * (0.25 + 0.75 * Double(text.count) / average))
        }.reduce(0, +)
      }
      let core = try repository.store().core()
      let index = try #require(core.tables["IndexedMember"]?.indexes.first { $0.columnNames == "note" })
      try core.read { transaction in
        for query in [["apple"], ["tree", "apple"], ["pear"]] {
          let search = FullTextSearch(
            FullTextQuery(parsing: query.joined(separator: " ")),
            index: index,
            transaction: transaction
          )
          let hits = try search.best(10)
          #expect(hits.count == words.count { text in query.allSatisfy(text.contains) })
          for hit in hits {
            let id = try #require(Int(hit.key.description))
            #expect(abs(hit.score - score(query, words[id])) < 1e-12)
          }
          let scores: [Double] = hits.map(\.score)
          let falling: [Double] = scores.sorted(by: >)
          #expect(scores == falling)
        }
      }
    }
  }

  /// More objects than a beginning of words gathers at a time.
  @Test func beginningsOfWordsOfManyObjects() throws {
    let repository = IndexedRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString))
    let count = TestEffort.count(400, more: 2_000)
    try repository.saveNow(
      (0..<count).map { id in
        IndexedMember(id) { $0.note = "word\(id * 7919 % count) \(id % 100 == 0 ? "rare" : "often")" }
      }
    )
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = MigrationRandom(seed: seed)
    func found(_ text: String) throws -> [Int] {
      try search(text, "note", repository, &random, "seed \(seed): \(text)")
    }
    for most in [count / 17, count / 4, count / 2 - 1, count - 1, count] {
      let lists = try PostingBatch.$most.withValue(most) {
        try ["wor*", "wor* rare", "often -wor*"].map { try found($0) }
      }
      #expect(lists[0] == Array(0..<count), "\(most)")
      #expect(lists[1] == Array(stride(from: 0, to: count, by: 100)), "\(most)")
      #expect(lists[2] == [], "\(most)")
    }
    repository.close()
  }
}
