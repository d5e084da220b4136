import Fief
import Foundation
import Testing

/// An unsupported query is a typed error, also where no object would be read; numbers of any size are fine.
@Suite(.timeLimit(.minutes(20))) struct QueryMisuseTests {
  @Test func argumentsOfEveryKind() throws {
    try CornerRepository.forAll(10, { $0.number = $0.id }) { repository in
      let items = repository.items
      func code(_ text: String, _ arguments: Any...) -> FiefError.Code? {
        (failure { try items.query(text, arguments: arguments) } as? FiefError)?.code
      }
      #expect(code("number == %@", (1, 2)) == .invalidQuery)
      #expect(code("number == %@", { 1 }) == .invalidQuery)
      #expect(code("number == %@", [1]) == .malformedQuery)
      #expect(code("number IN %@", [[1]]) == .malformedQuery)
      #expect(code("number BETWEEN %@", [1]) == .malformedQuery)
      #expect(code("number BETWEEN %@", 1..<5) == .invalidQuery)
      #expect(code("number IN %@", ["a": 1]) == .invalidQuery)
      #expect(code("number == %@", CornerItem(1)) == .invalidQuery)
      #expect(code("number == %@", "1") == .invalidQuery)
      #expect(code("%K == 1", 1) == .invalidQuery)
      #expect(code("%K == 1", "number.") == .invalidQuery)
      #expect(code("number == %@") == .malformedQuery && code("number == 1", 1) == .malformedQuery)
      #expect(code("number == $0 AND number == %@", 1, 2) == .malformedQuery)
      #expect(code("SORT(body) SORT(name)") == .malformedQuery)
      #expect(code("number BETWEEN %@", 1...5) == nil && code("number IN %@", Set([1, 2])) == nil)
      #expect(items.filter("number BETWEEN %@", 2...4).map(\.id) == [2, 3, 4])
      #expect(items.filter("number == %@", nil as Int? as Any).isEmpty)
    }
  }

  @Test func bordersOfNumbers() throws {
    try CornerRepository.forAll(10) {
      $0.number = $0.id
      $0.numberIndexed = $0.id
    } _: { repository in
      let items = repository.items
      for name in ["number", "numberIndexed"] {
        #expect(items.filter("%K BETWEEN {5, 1}", name).isEmpty)
        #expect(items.filter("%K > 9223372036854775807 OR %K < -9223372036854775808", name, name).isEmpty)
        #expect(items.filter("%K < 9223372036854775808", name).count == 10)
        #expect(items.filter("%K <= 2.5 AND %K >= 1.5", name, name).map(\.id) == [2])
        #expect(items.filter("%K == 2.5 OR %K IN {}", name, name).isEmpty)
        #expect(items.filter("NOT %K IN {}", name).count == 10)
      }
      #expect(items.filter("number / 0 == nil AND number % 0 == nil").count == 10)
      #expect(items.filter("-9223372036854775808 % -1 == 0").count == 10)
      #expect(items.filter("-9223372036854775808 / -1 == 9223372036854775808").count == 10)
      let most = "9223372036854775807"
      #expect(items.filter("number * \(most) * \(most) * \(most) == nil").count == 9)
      #expect(items.filter("tiny - 1 == -1 AND -tiny == 0").count == 10)
      #expect(items.limit(-1).isEmpty && items.offset(-1).count == 10 && items[-1] == nil)
    }
  }

  /// Invalid queries that need no lookup are refused too.
  @Test func boundsOfNothingAreCheckedToo() throws {
    try CornerRepository.forAll(10, { $0.number = $0.id }) { repository in
      let items = repository.items
      let nothing = [
        items.where { $0.numberIndexed == 1 && $0.numberIndexed == 2 }, items.filter("FALSEPREDICATE"),
        items.where { $0.id == 1 && $0.id == 2 },
      ]
      for results in nothing.map({ $0.sorted(byKeyPath: "name") }) {
        for values: [Any?] in [[5], ["a", "b"], [Date()]] {
          #expect((failure { try results.start(at: values).all() } as? FiefError)?.code == .invalidQuery)
          #expect((failure { try results.end(before: values).all() } as? FiefError)?.code == .invalidQuery)
        }
        let (found, plan) = try (results.start(at: ["a"]).all(), results.explain())
        #expect(found.isEmpty && plan.access == .nothing)
        #expect(failure { try results.fetchIndex(matching: { $0.map == nil }) } is FiefError)
        #expect(failure { try results.fetchIndex(matching: "none == 1") } is FiefError)
      }
      for order in ["", "map", "name.x", ".", "body.length"] {
        let sorted = items.sorted(byKeyPath: order)
        #expect(failure { try sorted.fetchCount() } is FiefError, "'\(order)'")
        #expect(failure { try sorted.all() } is FiefError, "'\(order)'")
      }
      let language = PropertyOrder(keyPath: "name", collation: .locale("no such language"))
      #expect(items.sorted(by: [language]).map(\.id).count == 10)
      #expect(items.distinct(by: [String]()).count == 10 && items.sorted(by: [PropertyOrder]()).count == 10)
    }
  }
}
