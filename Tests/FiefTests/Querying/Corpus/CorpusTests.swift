import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Every question of the corpus through every front end, compared with the answer in plain Swift.
@Suite(.timeLimit(.minutes(20))) struct CorpusTests {
  private let corpus = Corpus()
  private let world = CorpusWorld()

  /// The questions for a place: one out of `parts`, and in the long form every third one.
  private func entries(for place: CorpusPlace, parts: Int = CorpusPlace.allCases.count) -> [CorpusEntry] {
    let parts = TestEffort.count(parts, more: 3)
    let part = CorpusPlace.allCases.firstIndex(of: place) ?? 0
    return corpus.entries.enumerated().filter { $0.offset % parts == part % parts }.map(\.element)
  }

  @Test func theCorpusIsLargeAndNoQuestionIsTrivial() {
    #expect(corpus.entries.count >= 300)
    #expect(corpus.entries.filter { $0.isIncluded != nil }.count >= 300)
    #expect(corpus.entries.filter { $0.predicate != nil }.count >= 200)
    // Nearly all of them have to be true of some objects and false of others.
    let telling = corpus.entries.filter { entry in
      let count = world.rows.filter(entry.holds).count
      return count > 0 && count < world.rows.count
    }
    #expect(telling.count * 100 >= corpus.entries.count * 90)
  }

  @Test(arguments: CorpusPlace.allCases) func everyFrontEndFindsTheSame(place: CorpusPlace) throws {
    let store = try CorpusStore(place, world)
    for entry in entries(for: place, parts: TestEffort.count(6, more: 3)) {
      let expected = Set(world.rows.filter(entry.holds).map(\.id))
      let context = store.store().objects(CorpusItem.self)
      if let isIncluded = entry.isIncluded {
        store.expect(context.where(isIncluded), expected, "where: \(entry.text)")
      }
      if let predicate = entry.predicate {
        store.expect(context.filter(predicate), expected, "predicate: \(entry.text)")
      }
      if !entry.text.isEmpty {
        store.expect(expected, "text: \(entry.text)") { try $0.query(entry.text, arguments: entry.arguments) }
      }
    }
  }

  @Test(arguments: CorpusPlace.allCases) func indexesDoNotChangeWhatIsFound(place: CorpusPlace) throws {
    let store = try CorpusStore(place, world)
    for entry in entries(for: place, parts: TestEffort.count(6, more: 3)) {
      let expected = Set(world.rows.filter(entry.holds).map(\.id))
      let indexed = store.store().objects(IndexedCorpusItem.self)
      // The front ends make the same conditions: the short form has one of them.
      let conditions = entry.typedConditions()
      for condition in conditions.prefix(TestEffort.count(1, more: conditions.count)) {
        store.expect(indexed.filtered(by: condition), expected, "indexed: \(entry.text)")
      }
      if !entry.text.isEmpty {
        store.expect(indexed, expected, "indexed text: \(entry.text)") {
          try $0.query(entry.text, arguments: entry.arguments)
        }
      }
    }
  }

  @Test(arguments: CorpusPlace.allCases) func scopesFindTheSame(place: CorpusPlace) throws {
    let store = try CorpusStore(place, world)
    try store.read { snapshot in
      for entry in entries(for: place, parts: TestEffort.count(24, more: 12)) {
        let expected = Set(world.rows.filter(entry.holds).map(\.id))
        for condition in entry.typedConditions() {
          let items = snapshot.objects(CorpusItem.self).filtered(by: condition)
          store.expect(items, expected, "read: \(entry.text)")
          let indexed = snapshot.objects(IndexedCorpusItem.self).filtered(by: condition)
          store.expect(indexed, expected, "read, indexed: \(entry.text)")
        }
      }
    }
    try store.write { transaction in
      for entry in entries(for: place, parts: TestEffort.count(24, more: 12)) {
        guard let condition = entry.typedConditions().first else { continue }
        let expected = Set(world.rows.filter(entry.holds).map(\.id))
        let indexed = transaction.objects(IndexedCorpusItem.self).filtered(by: condition)
        store.expect(indexed, expected, "write: \(entry.text)")
      }
    }
  }

  @Test(arguments: CorpusPlace.allCases) func listsFindTheSameInTheirOrder(place: CorpusPlace) throws {
    let store = try CorpusStore(place, world)
    let ids = world.rows.map(\.id).reversed().flatMap { $0 % 3 == 0 ? [$0, $0] : [$0] }
    let rows = Dictionary(uniqueKeysWithValues: world.rows.map { ($0.id, $0) })
    try store.write { transaction in
      let group = CorpusGroup(value: ["id": 1])
      for id in ids {
        if let item = try transaction.object(ofType: CorpusItem.self, forPrimaryKey: id) {
          group.items.append(item)
        }
        let indexed = try transaction.object(ofType: IndexedCorpusItem.self, forPrimaryKey: id)
        if let indexed { group.indexed.append(indexed) }
      }
      #expect(group.items.count == ids.count && group.indexed.count == ids.count)
      try transaction.add(group)
    }
    let group = try #require(store.store().object(ofType: CorpusGroup.self, forPrimaryKey: 1))
    for entry in entries(for: place, parts: TestEffort.count(24, more: 12)) {
      let expected = ids.filter { id in rows[id].map(entry.holds) ?? false }
      func expect<Element: CorpusItem>(_ results: Results<Element>, _ name: String) {
        do {
          let found = try results.all().map(\.id)
          let isSame = try found == expected && results.fetchCount() == expected.count
          #expect(isSame, "\(name) of a list: \(entry.text), \(found)")
        } catch { Issue.record("\(name) of a list: \(entry.text): \(error)") }
      }
      for condition in entry.typedConditions() {
        expect(group.items.results.filtered(by: condition), "plain")
        expect(group.indexed.results.filtered(by: condition), "indexed")
      }
      if entry.text.isEmpty { continue }
      do {
        expect(try group.items.results.query(entry.text, arguments: entry.arguments), "text")
      } catch { Issue.record("text of a list: \(entry.text): \(error)") }
    }
  }

  /// Swift asks for nil besides, or counts where the text has a quantifier.
  private static let saidOtherwise: Set<String> = [
    "optInt == int", "optUUID == uuid", "friend.int8 == int8", "ANY toys.name == favourite.name",
    "favourite.fans.@count > 12", "collar.holes.@count > 1",
    "SUBQUERY(friend.toys, $t, $t.price > 1).@count > 1",
    "SUBQUERY(collars, $c, $c.color == 'red' AND $c.width == int8).@count > 0",
  ]

  @Test func theFrontEndsMakeTheSameConditions() throws {
    let store = try CorpusStore(.memory, world)
    var different: [String] = []
    for entry in corpus.entries {
      let items = store.store().objects(CorpusItem.self)
      var forms: [(String, QueryCondition?)] = []
      if let isIncluded = entry.isIncluded {
        let results = items.where(isIncluded)
        #expect(results.failure == nil, "where: \(entry.text)")
        forms.append(("where", results.description.condition?.normalized))
      }
      if let predicate = entry.predicate {
        let results = items.filter(predicate)
        #expect(results.failure == nil, "predicate: \(entry.text)")
        forms.append(("predicate", results.description.condition?.normalized))
      }
      do {
        let results = try items.query(entry.text, arguments: entry.arguments)
        forms.append(("text", results.description.condition?.normalized))
      } catch {
        Issue.record("text: \(entry.text): \(error)")
      }
      guard let first = forms.first, forms.contains(where: { $0.1 != first.1 }) else { continue }
      if Self.saidOtherwise.contains(entry.text) { continue }
      different.append(
        ([entry.text] + forms.map { "  \($0.0): \($0.1.map { "\($0)" } ?? "none")" }).joined(separator: "\n")
      )
    }
    #expect(different.isEmpty, "\(different.count) differ:\n\(different.joined(separator: "\n"))")
  }
}

extension CorpusEntry {
  /// The conditions that the typed front ends make.
  func typedConditions() -> [QueryCondition] {
    var conditions: [QueryCondition] = []
    if let isIncluded, let condition = try? TypedQuery.condition(isIncluded) { conditions.append(condition) }
    if let predicate, let condition = try? predicate.queryCondition() { conditions.append(condition) }
    return conditions
  }
}
