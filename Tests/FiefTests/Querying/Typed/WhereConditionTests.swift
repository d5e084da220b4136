import Fief
import Foundation
import Testing

@testable import FiefCore

/// The conditions of closures of `where { }`, without a store.
struct WhereConditionTests {
  private func condition(_ isIncluded: (Query<CorpusItem>) -> Query<Bool>) throws -> QueryCondition {
    try TypedQuery.condition(isIncluded)
  }

  private func int(_ value: Int64) -> QueryOperand { .value(.integer(value)) }
  private func path(_ names: String..., scope: Int = 0) -> QueryOperand {
    .path(QueryPath(scope: scope, steps: names.map { .property($0) }))
  }

  @Test func comparisonsNameTheirProperties() throws {
    #expect(try condition { $0.int > 3 } == .comparison(path("int"), .greater, int(3)))
    #expect(
      try condition { $0.friend.friend.string == "a" }
        == .comparison(path("friend", "friend", "string"), .equal, .value(.string("a")))
    )
    #expect(try condition { $0.optInt == nil } == .comparison(path("optInt"), .equal, .value(.null)))
    #expect(
      try condition { $0.size == .large } == .comparison(path("size"), .equal, .value(.string("large")))
    )
    #expect(
      try condition { $0.cents == CorpusCents(amount: 5) } == .comparison(path("cents"), .equal, int(5))
    )
    #expect(try condition { $0.bool } == .comparison(path("bool"), .equal, .value(.bool(true))))
  }

  @Test func conjunctionsAndDisjunctionsAreFlat() throws {
    let one = QueryCondition.comparison(path("int"), .equal, int(1))
    let two = QueryCondition.comparison(path("int"), .equal, int(2))
    let three = QueryCondition.comparison(path("int"), .equal, int(3))
    #expect(try condition { $0.int == 1 && $0.int == 2 && $0.int == 3 } == .all([one, two, three]))
    #expect(try condition { $0.int == 1 || ($0.int == 2 || $0.int == 3) } == .any([one, two, three]))
    #expect(
      try condition { !($0.int == 1) && ($0.int == 2 || $0.int == 3) }
        == .all([.not(one), .any([two, three])])
    )
  }

  @Test func aWayThroughACollectionMeansAnyOfItsElements() throws {
    let toys = QueryCollection(QueryPath("toys"))
    #expect(
      try condition { $0.toys.price > 3 }
        == .quantified(.any, toys, .comparison(path("price"), .greater, .value(.double(3))))
    )
    #expect(
      try condition { $0.friend.toys.owners.int == $0.int }
        == .quantified(
          .any,
          QueryCollection(QueryPath("friend", "toys")),
          .quantified(
            .any,
            QueryCollection(QueryPath("owners")),
            .comparison(path("int"), .equal, path("int", scope: 2))
          )
        )
    )
    #expect(
      try condition { $0.toys.price > $0.doubles.max }
        == .quantified(
          .any,
          toys,
          .comparison(
            path("price"),
            .greater,
            .aggregate(.maximum, QueryCollection(QueryPath(scope: 1, steps: [.property("doubles")])), nil)
          )
        )
    )
  }

  @Test func closuresInClosuresSeeTheObjectsOutside() throws {
    let condition = try condition { item in
      item.toys.all { toy in
        toy.owners.any { $0.id < item.id && $0.string == toy.name && item.toys.price > toy.price }
      }
    }
    let inner = QueryCondition.all([
      .comparison(path("id"), .less, path("id", scope: 2)),
      .comparison(path("string"), .equal, path("name", scope: 1)),
      .quantified(
        .any,
        QueryCollection(QueryPath(scope: 2, steps: [.property("toys")])),
        .comparison(path("price"), .greater, path("price", scope: 2))
      ),
    ])
    let expected = QueryCondition.quantified(
      .all,
      QueryCollection(QueryPath("toys")),
      .quantified(.any, QueryCollection(QueryPath("owners")), inner)
    )
    #expect(condition == expected)
  }

  @Test func whatCannotBeAskedIsAnError() throws {
    let wrong: [(Query<CorpusItem>) -> Query<Bool>] = [
      { $0.shout == "A" }, { $0.int.max > 3 }, { ($0.string == "a" && $0.int == 1).count > 1 },
      { ($0.toys.price > 1 && $0.toySet.price > 1).count > 1 }, { ($0.int > 1).count == 1 },
      { $0.string.lowercased().matches("words") }, { $0.collar == CorpusCollar() },
      { !($0.int == 1 || $0.shout == "A") }, { $0.toys.any { $0.name == "a" && $0.price.max > 1 } },
    ]
    for (index, isIncluded) in wrong.enumerated() {
      let error = try #require(throws: FiefError.self, "\(index)") { try condition(isIncluded) }
      #expect(error.code == .invalidQuery && error.type == "CorpusItem", "\(index)")
    }
  }
}
