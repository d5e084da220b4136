import Fief
import Foundation
import TestEffort
import Testing

/// Conditions that a loop of the application puts together, however long it runs.
@Suite(.timeLimit(.minutes(20))) struct DeepQueryTests {
  @Test func depthWithoutAnEndIsAnError() throws {
    try CornerRepository.forAll(10, { $0.number = $0.id }) { repository in
      let items = repository.items
      let cursor = try #require(try items.page(3).end)
      // The deepest ones take seconds; what they show does not depend on the place of the store.
      let isDeepest = TestEffort.isLong || repository.realmMemoryType == .inStorage
      for depth in isDeepest ? [200, 3000, TestEffort.count(6_000, more: 30_000)] : [200, 3000] {
        let deep = [
          items.where { item in
            var query = item.number > 3
            for _ in 0..<depth { query = !query }
            return query
          },
          items.where { item in
            var sum = item.number + 1
            for _ in 0..<depth { sum = sum + 1 }
            return sum > 5
          },
          items.where { item in
            var query = item.number > 3
            for index in 0..<(depth / 2) {
              query = query && item.number < 1000 + index
              query = query || item.number < -index
            }
            return query
          },
        ]
        for results in deep {
          let error = failure { try results.all() } as? FiefError
          if depth < 300 {
            #expect(error == nil && results.count > 0)
            continue
          }
          #expect(error?.code == .invalidQuery && error?.type == "CornerItem", "\(depth)")
          #expect(results.count == 0)
          #expect(failure { try results.page(3, after: cursor) } is FiefError)
          #expect(failure { try results.explain() } is FiefError)
        }
      }
    }
  }

  @Test func listsOfConditionsAreAsLongAsTheyAre() throws {
    try CornerRepository.forAll(10) {
      $0.number = $0.id
      $0.rating = Double($0.id)
      $0.day = Date(timeIntervalSinceReferenceDate: Double($0.id))
    } _: { repository in
      let many = TestEffort.count(1_000, more: 2_000)
      let any = repository.items.where { item in
        var query = item.number == -1
        for index in 5..<many { query = query || item.number == index }
        return query
      }
      #expect(any.map(\.id) == [5, 6, 7, 8, 9])
      let nestedToTheRight = repository.items.where { item in
        var query = item.number == -1
        for index in 5..<many { query = item.number == index || query }
        return query
      }
      #expect(nestedToTheRight.map(\.id) == [5, 6, 7, 8, 9])
      let all = repository.items.where { item in
        var query = item.number != -1
        for index in 5..<many { query = query && item.number != index }
        return query
      }
      #expect(all.map(\.id) == [0, 1, 2, 3, 4])
      let allToTheRight = repository.items.where { item in
        var query = item.number != -1
        for index in 5..<many { query = item.number != index && query }
        return query
      }
      #expect(allToTheRight.map(\.id) == [0, 1, 2, 3, 4])
      var some = repository.items
      for index in 5..<500 { some = some.where { $0.number != index } }
      #expect(some.map(\.id) == [0, 1, 2, 3, 4])
      let last = TestEffort.count(4_000, more: 30_000)
      #expect(repository.items.where { $0.number.in(Array(5...last)) }.count == 5)
      #expect(repository.items.filter("number IN %@", Array(5...last)).count == 5)
      let doubles = (5...last).map { Double($0) } + [.nan, 0.5, -0.0]
      #expect(repository.items.filter("rating IN %@", doubles).map(\.id) == [0, 5, 6, 7, 8, 9])
      #expect(repository.items.filter("NOT rating IN %@", doubles + [.infinity]).map(\.id) == [1, 2, 3, 4])
      let days = doubles.map { Date(timeIntervalSinceReferenceDate: $0) }
      #expect(repository.items.filter("day IN %@", days).map(\.id) == [0, 5, 6, 7, 8, 9])
      #expect(repository.items.filter("day IN %@", days + [nil] as [Any?]).count == 6)
      let texts = (0..<last).map { "\($0)" }
      #expect(repository.items.filter("name IN %@", texts).isEmpty)
      #expect(repository.items.filter("name CONTAINS %@", String(repeating: "x", count: 1 << 22)).isEmpty)
    }
  }

  /// Neither direction has a limit, also with conditions of other kinds in between.
  @Test func longNestsOfEitherConditionsAreQueries() throws {
    try CornerRepository.forAll(10) {
      $0.number = $0.id
      $0.name = "name \($0.id)"
    } _: { repository in
      let items = repository.items
      for count in [300, TestEffort.count(4_000, more: 20_000)] {
        let nests = [
          items.where { item in
            var query = item.number == -1
            for index in 5..<count { query = query || item.number == index }
            return query
          },
          items.where { item in
            var query = item.number == -1
            for index in 5..<count { query = item.number == index || query }
            return query
          },
          items.where { item in
            var query = item.number == -1
            for index in 5..<count {
              let next = item.number == index
              query = index % 2 == 0 ? query || next : next || query
            }
            return query
          },
          items.where { item in
            var query = item.number == -1
            for index in 5..<count {
              let next = item.number == index && item.name != "none"
              query = next || query
            }
            return query
          },
          items.where { item in
            var query = item.number == -1
            for index in 5..<count {
              let next = item.number == index || item.name == "none"
              query = next || query
            }
            return query
          },
        ]
        for (number, nest) in nests.enumerated() {
          #expect(try nest.all().map(\.id) == [5, 6, 7, 8, 9], "\(count), nest \(number)")
          #expect(nest.count == 5, "\(count), nest \(number)")
        }
        try nests[1].update(.set(\.rating, Double(count)))
        #expect(items.where { $0.rating == Double(count) }.map(\.id) == [5, 6, 7, 8, 9])
      }
    }
  }

  /// Each level binds its operand once: if it was twice, the deepest of these would take a thousand million steps.
  @Test func listsOfOneValueInEachOther() throws {
    try CornerRepository.forAll(
      4,
      {
        $0.number = $0.id
        $0.rating = $0.id == 3 ? nil : Double($0.id)
      }
    ) { repository in
      func nested(_ innermost: String, _ opening: String, _ closing: String, _ levels: Int) -> String {
        String(repeating: opening, count: levels) + innermost + String(repeating: closing, count: levels)
      }
      func ids(_ text: String) throws -> [Int] { try repository.items.query(text).all().map(\.id) }
      for levels in [1, 2, 14] {
        let one = try ids(nested("number IN {1}", "TERNARY(", ", 1, 0) IN {1}", levels))
        let absent = try ids(nested("rating IN {nil}", "TERNARY(", ", nil, 1.5) IN {nil}", levels))
        let either = try ids(nested("rating IN {nil, 2.0}", "TERNARY(", ", nil, 1.5) IN {nil, 7.5}", levels))
        #expect(one == [1] && absent == [3] && either == [2, 3], "\(levels)")
      }
      let deep = repository.items.where { item in
        var condition = item.number == 1
        for _ in 0..<60 { condition = condition.in([true]) }
        return condition
      }
      #expect(deep.map(\.id) == [1])
    }
  }
}
