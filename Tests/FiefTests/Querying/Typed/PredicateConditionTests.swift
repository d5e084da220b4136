import Fief
import Foundation
import Testing

@testable import FiefCore

/// The conditions of `#Predicate`s, without a store.
struct PredicateConditionTests {
  private func int(_ value: Int64) -> QueryOperand { .value(.integer(value)) }
  private func path(_ names: String..., scope: Int = 0) -> QueryOperand {
    .path(QueryPath(scope: scope, steps: names.map { .property($0) }))
  }
  private func condition(_ predicate: Predicate<CorpusItem>) throws -> QueryCondition {
    try predicate.queryCondition()
  }

  @Test func optionalChainsAreWays() throws {
    #expect(
      try condition(#Predicate { $0.friend?.friend?.string == "a" })
        == .comparison(path("friend", "friend", "string"), .equal, .value(.string("a")))
    )
    #expect(
      try condition(#Predicate { $0.friend!.int8 > 3 })
        == .comparison(path("friend", "int8"), .greater, int(3))
    )
  }

  @Test func testsForNilThatSayNothingMoreGo() throws {
    #expect(
      try condition(#Predicate { $0.optInt.flatMap { $0 > 3 } ?? false })
        == .comparison(path("optInt"), .greater, int(3))
    )
    #expect(
      try condition(#Predicate { $0.optString?.contains("a") == true })
        == .comparison(path("optString"), .contains, .value(.string("a")))
    )
    // Here nil would be different from 3.
    let isThere = QueryCondition.comparison(path("optInt"), .notEqual, .value(.null))
    #expect(
      try condition(#Predicate { $0.optInt.flatMap { $0 != 3 } ?? false })
        == .all([isThere, .comparison(path("optInt"), .notEqual, int(3))])
    )
    #expect(
      try condition(#Predicate { $0.optInt.flatMap { $0 > 3 } ?? true })
        == .any([.not(isThere), .comparison(path("optInt"), .greater, int(3))])
    )
    #expect(
      try condition(#Predicate { $0.optInt.flatMap { $0 > 3 } == false })
        == .all([isThere, .not(.comparison(path("optInt"), .greater, int(3)))])
    )
  }

  @Test func valuesMayBeChosen() throws {
    #expect(
      try condition(#Predicate { ($0.optInt ?? 7) > 3 })
        == .comparison(.coalesced(path("optInt"), int(7)), .greater, int(3))
    )
    let isTrue = QueryCondition.comparison(path("bool"), .equal, .value(.bool(true)))
    #expect(
      try condition(#Predicate { ($0.bool ? $0.int : $0.id) > 3 })
        == .comparison(.conditional(isTrue, path("int"), path("id")), .greater, int(3))
    )
    let first = QueryCondition.comparison(path("int"), .greater, int(3))
    let second = QueryCondition.comparison(path("id"), .less, int(5))
    #expect(
      try condition(#Predicate { if $0.bool { $0.int > 3 } else { $0.id < 5 } })
        == .any([.all([isTrue, first]), .all([.not(isTrue), second])])
    )
    #expect(
      try condition(#Predicate { if let value = $0.optInt { value > 3 } else { false } })
        == .comparison(path("optInt"), .greater, int(3))
    )
  }

  @Test func capturedSequencesAreAskedOneByOne() throws {
    let texts = ["a", "b"]
    #expect(
      try condition(#Predicate { item in texts.contains { item.string.starts(with: $0) } })
        == .any(
          texts.map { .comparison(path("string"), .beginsWith, .value(.string($0))) }
        )
    )
    let set: Set<Int> = [3]
    #expect(try condition(#Predicate { set.contains($0.int) }) == .oneOf(path("int"), [.integer(3)]))
    let from = 3...
    #expect(
      try condition(#Predicate { from.contains($0.int) }) == .comparison(path("int"), .greaterOrEqual, int(3))
    )
  }

  @Test func whatCannotBeAskedIsAnErrorWhereItIsUsed() throws {
    let texts = ["x": 1]
    let wrong: [Predicate<CorpusItem>] = [
      #Predicate { $0.shout == "A" },
      #Predicate { $0.date.timeIntervalSinceReferenceDate > 0 },
      #Predicate { texts[$0.string] == 1 },
      #Predicate { $0.toys.filter { $0.price > 1 }.contains { $0.description == "a" } },
      #Predicate { $0.any.intValue == 3 },
    ]
    let store = try TypedStore(.memory, CorpusTypes.objects, embedded: CorpusTypes.embedded)
    for (index, predicate) in wrong.enumerated() {
      let results = store.store().objects(CorpusItem.self).filter(predicate)
      let error = try #require(throws: FiefError.self, "\(index)") { try results.all() }
      #expect(error.code == .invalidQuery && error.type != nil, "\(index): \(error)")
      #expect(results.count == 0 && results.first == nil)
    }
  }

  @Test func theWordsOfATextAreThoseOfAStore() throws {
    #expect("The quick brown fox".fullText.contains("FOX quick"))
    #expect(!"The quick brown fox".fullText.contains("fo"))
    #expect("The quick brown fox".fullText.contains("fo*"))
    #expect(Array("The quick".fullText) == ["the", "quick"])
    #expect(
      try condition(#Predicate { $0.text.fullText.contains("a b") }) == .matches(QueryPath("text"), "a b")
    )
  }
}
