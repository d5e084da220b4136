import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

final class PricedItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var price = Decimal()
  @Persisted(indexed: true) var indexed = Decimal()
  @Persisted var discount: Decimal?
  @Persisted var prices: List<Decimal>
  @Persisted var steps: Map<String, Decimal>
  @Persisted var content: AnyRealmValue
  @Persisted var contents: List<AnyRealmValue>
  @Persisted var rating = 0.0
  @Persisted var size: Float = 0
  @Persisted var parent: PricedItem?
}

/// Numbers of a text with a fraction beside decimals, which no double has exactly, and beside floats.
@Suite(.timeLimit(.minutes(20))) struct DecimalLiteralTests {
  private func store(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let store = try StoreFixture(TestRepository(objectTypes: [PricedItem.self]), kind)
    var items: [PricedItem] = []
    for id in 0..<3 {
      // 19.98, 19.99 and 20.00
      let price = Decimal(1998 + id) / 100
      let item = PricedItem(value: ["id": id, "price": price, "indexed": price])
      item.discount = id == 1 ? nil : price
      item.prices.append(objectsIn: [price, price / 3])
      item.steps["first"] = price
      item.content = .decimal128(price)
      item.contents.append(.decimal128(price))
      item.rating = try #require(Double("\(price)"))
      item.parent = items.last
      items.append(item)
    }
    try store.saveAndWait(entities: items)
    return store
  }

  private func ids(_ store: StoreFixture<TestRepository>, _ text: String, _ arguments: Any...) throws -> [Int]
  {
    try store.store().objects(PricedItem.self).query(text, arguments: arguments).all().map(\.id)
  }

  @Test(arguments: StoreKind.allCases) func comparisons(_ kind: StoreKind) throws {
    let store = try store(kind)
    for name in [
      "price", "indexed", "COALESCE(discount, 19.99)", "ANY prices", "steps['first']", "content",
      "ANY contents",
      "-(-(price))", "price + 0.00", "price * 1.0", "(0.5 + 0.5) * price", "prices.@max", "steps.@sum",
    ] {
      #expect(try ids(store, "\(name) == 19.99") == [1], "\(name)")
      #expect(try ids(store, "\(name) IN {19.99, 7.5}") == [1], "\(name)")
      if name.hasPrefix("ANY") { continue }
      #expect(try ids(store, "19.99 == \(name)") == [1], "\(name)")
      #expect(try ids(store, "\(name) != 19.99") == [0, 2], "\(name)")
      #expect(try ids(store, "NOT (\(name) == 19.99)") == [0, 2], "\(name)")
      #expect(try ids(store, "\(name) < 19.99") == [0], "\(name)")
      #expect(try ids(store, "\(name) <= 19.99") == [0, 1], "\(name)")
      #expect(try ids(store, "\(name) > 19.99") == [2], "\(name)")
      #expect(try ids(store, "\(name) >= 19.99") == [1, 2], "\(name)")
      #expect(try ids(store, "19.99 < \(name)") == [2], "\(name)")
      #expect(try ids(store, "\(name) BETWEEN {19.985, 19.99}") == [1], "\(name)")
    }
    #expect(try ids(store, "price == 19.98 + 0.01") == [1])
    #expect(try ids(store, "price - 0.01 == 19.98") == [1])
    #expect(try ids(store, "parent.price == 19.99") == [2])
    #expect(try ids(store, "SUBQUERY(prices, $p, $p == 19.99).@count == 1") == [1])
    #expect(try ids(store, "prices.@sum > 26.65 AND prices.@sum < 26.66") == [1])
    #expect(try ids(store, "price == -19.99").isEmpty)
    // Doubles stay doubles.
    #expect(try ids(store, "rating == 19.99") == [1])
    #expect(try ids(store, "rating <= 19.99") == [0, 1])
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func argumentsAndLiteralsAgree(_ kind: StoreKind) throws {
    let store = try store(kind)
    for name in ["price", "indexed", "content"] {
      #expect(try ids(store, "\(name) == %@", 19.99) == [1])
      #expect(try ids(store, "\(name) == %@", try #require(Decimal(string: "19.99"))) == [1])
      #expect(try ids(store, "\(name) IN %@", [19.99, 20.00]) == [1, 2])
      #expect(try ids(store, "\(name) == 19.99m") == [1])
    }
    #expect(store.store().objects(PricedItem.self).where { $0.content == .double(19.99) }.map(\.id) == [1])
    #expect(store.store().objects(PricedItem.self).where { $0.content.in([.double(19.99)]) }.map(\.id) == [1])
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func literalsOfChoicesAndOnTheLeft(_ kind: StoreKind) throws {
    let store = try store(kind)
    let expected: [(String, [Int])] = [
      ("TERNARY(id == 1, 19.99, 5.5) == price", [1]), ("price == TERNARY(id > 0, 19.99, 5.5)", [1]),
      ("TERNARY(id == 0, 19.99, price) == 19.99", [0, 1]),
      ("TERNARY(id == 0, price, 19.99) == 19.99", [1, 2]),
      ("TERNARY(id == 0, rating, 19.99) == price", [1]), ("price == COALESCE(nil, 19.99)", [1]),
      ("(nil ?? nil ?? 19.99) == price", [1]), ("price == TERNARY(id >= 0, 19.98 + 0.01, 1)", [1]),
      ("TERNARY(id >= 0, TERNARY(id == 1, 19.99, 1), 2) == price", [1]),
      ("TERNARY(id == 0, content, 19.99) == price", [0, 1]),
      ("COALESCE(content, price) == 19.99", [1]), ("COALESCE(nil, discount, 19.99) == 19.99", [1]),
      ("19.99 IN {price, 7.5}", [1]), ("19.99 IN {7.5, price}", [1]), ("19.99 IN {rating, price}", [1]),
      ("TERNARY(id >= 0, 19.99, 1) IN {7.5, price}", [1]), ("19.99 IN {19.99m, 7}", [0, 1, 2]),
      ("19.99 == 19.99m", [0, 1, 2]), ("19.99 IN prices", [1]), ("prices CONTAINS 19.99", [1]),
      ("19.98 + 0.01 IN prices", [1]), ("TERNARY(id >= 0, 19.99, 1) IN prices", [1]),
      ("19.99 IN steps", [1]), ("19.99 IN contents", [1]), ("19.99 BETWEEN {price, price}", [1]),
      ("19.99 BETWEEN {price, 19.99}", [0, 1]), ("19.99 BETWEEN {19.99, price}", [1, 2]),
      ("size == TERNARY(id == 1, 0.1, 0)", [0, 2]), ("rating == TERNARY(id >= 0, 19.99, 1)", [1]),
    ]
    for (text, found) in expected { #expect(try ids(store, text) == found, "\(text)") }
    store.closeChecked()
  }

  /// A value of any type shows in each object whether it is a decimal.
  @Test(arguments: StoreKind.allCases) func literalsOfChoicesBesideAnyValue(_ kind: StoreKind) throws {
    let store = try store(kind)
    let long = "0.12345678901234567890123"
    let items = [
      PricedItem(value: ["id": 3, "rating": 19.99] as [String: Any]),
      PricedItem(value: ["id": 4, "price": try #require(Decimal(string: long))] as [String: Any]),
      PricedItem(value: ["id": 5, "rating": 19.99] as [String: Any]),
    ]
    items[0].content = .double(19.99)
    items[1].content = .decimal128(items[1].price)
    items[2].content = .string("19.99")
    for item in items { item.contents.append(item.content) }
    try store.saveAndWait(entities: items)
    let choice = "TERNARY(id >= 0, 19.99, 1)"
    let expected: [(String, [Int])] = [
      ("\(choice) == content", [1, 3]), ("content == \(choice)", [1, 3]), ("content > \(choice)", [2]),
      ("\(choice) > content", [0, 4]), ("content != \(choice)", [0, 2, 4, 5]),
      ("content IN {\(choice), 7.5}", [1, 3]), ("\(choice) IN {content, 7.5}", [1, 3]),
      ("\(choice) IN contents", [1, 3]), ("contents CONTAINS \(choice)", [1, 3]),
      ("ANY contents == \(choice)", [1, 3]), ("content BETWEEN {\(choice), \(choice)}", [1, 3]),
      ("COALESCE(discount, 19.99) == content", [0, 1, 2]), ("COALESCE(nil, 19.99) == content", [1, 3]),
      ("TERNARY(id == 0, content, 19.99) == content", [0, 1, 3]),
      ("TERNARY(id == 0, content, price) == \(choice)", [1]),
      ("COALESCE(content, price) == \(choice)", [1, 3]),
      ("TERNARY(id >= 0, TERNARY(id >= 0, 19.99, 1), 2) == content", [1, 3]),
      ("content == 19.98 + 0.01", [1]), ("content == -(-19.99)", [1, 3]),
      ("content == TERNARY(id >= 0, 19.98, 1) + 0.01", [1]),
      ("content == -(-(19.98 + 0.01))", [1]), ("content == 0 - -(19.98 + 0.01)", [1]),
      ("content == TERNARY(id >= 0, \(long), 1)", [4]), ("TERNARY(id >= 0, \(long)1, 1) == content", []),
      ("rating == \(choice)", [1, 3, 5]),
    ]
    for (text, found) in expected { #expect(try ids(store, text) == found, "\(text)") }
    store.closeChecked()
  }

  /// Typing an operand costs one walk, however many levels it has.
  @Test(.timeLimit(.minutes(5)), arguments: StoreKind.allCases) func nestedLiterals(_ kind: StoreKind) throws
  {
    let store = try store(kind)
    func nested(_ opening: String, _ closing: String, _ levels: Int) -> String {
      String(repeating: opening, count: levels) + "19.99" + String(repeating: closing, count: levels)
    }
    for number in [
      nested("(", " + 0.00)", 28), nested("", " + 0.00", 100), nested("-", "", 28),
      nested("TERNARY(id < 0, 1.5, ", ")", 14), nested("COALESCE(nil, ", ")", 14),
    ] {
      #expect(try ids(store, "price == \(number)") == [1], "\(number)")
      #expect(try ids(store, "\(number) == price") == [1], "\(number)")
      #expect(try ids(store, "\(number) IN {price, 7.5}") == [1], "\(number)")
      #expect(try ids(store, "price IN {\(number), 7.5}") == [1], "\(number)")
    }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func typedArgumentsAndLiteralsAgree(_ kind: StoreKind) throws {
    let store = try store(kind)
    let long = "0.12345678901234567890123"
    let content = PricedItem(value: ["id": 3, "price": try #require(Decimal(string: long))] as [String: Any])
    content.content = .decimal128(content.price)
    content.contents.append(content.content)
    let huge = PricedItem(value: ["id": 4, "rating": 1e20] as [String: Any])
    huge.content = .decimal128(try #require(Decimal(string: "99999999999999999999")))
    let double = PricedItem(value: ["id": 5, "size": Float(0.1)] as [String: Any])
    double.content = .double(try #require(Double(long)))
    try store.saveAndWait(entities: [content, huge, double])
    let texts = [
      "price == #", "# == indexed", "price < #", "price BETWEEN {#, #}", "# BETWEEN {price, price}",
      "price IN {#, 7.5}", "# IN {price, 7.5}", "# IN prices", "TERNARY(id >= 0, #, 5.5) == price",
      "COALESCE(nil, #) == price", "price == # + 0.00", "content == #", "content != #", "content >= #",
      "content IN {#, 7.5}", "# IN {content, 7.5}", "# IN contents", "ANY contents == #", "rating == #",
      "rating < #", "size == #", "# == 19.99m",
    ]
    for number in ["19.99", "20", "0.1", long, "99999999999999999999", "1e20", "-19.99"] {
      let typed = try QueryArgument(typed: number)
      for text in texts {
        let arguments = Array(repeating: typed as Any, count: text.count { $0 == "#" })
        let found = try store.store().objects(PricedItem.self)
          .query(text.replacing("#", with: "%@"), arguments: arguments).all().map(\.id)
        #expect(try ids(store, text.replacing("#", with: number)) == found, "\(text) \(number)")
      }
    }
    // Every digit counts beside a decimal, and beside a double those that it has.
    #expect(try ids(store, "content == \(long)") == [3, 5] && ids(store, "content == \(long)1") == [5])
    #expect(try ids(store, "\(long) IN contents") == [3] && ids(store, "content IN {\(long), 7}") == [3, 5])
    #expect(try ids(store, "content BETWEEN {\(long), \(long)}") == [3, 5])
    #expect(try ids(store, "price BETWEEN {\(long), \(long)}") == [3])
    #expect(try ids(store, "\(long) BETWEEN {price, price}") == [3])
    #expect(try ids(store, "content == 99999999999999999999") == [4])
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func noDigitIsLost(_ kind: StoreKind) throws {
    let store = try StoreFixture(TestRepository(objectTypes: [PricedItem.self]), kind)
    let digits = "0.12345678901234567890123456789"
    let price = try #require(Decimal(string: digits))
    try store.saveAndWait(
      entity: PricedItem(value: ["price": price, "rating": try #require(Double(digits))] as [String: Any])
    )
    #expect(try ids(store, "price == \(digits)") == [0])
    #expect(try ids(store, "price == \(digits)1").isEmpty)
    #expect(try ids(store, "price < \(digits)1") == [0])
    #expect(try ids(store, "price IN {\(digits), 2}") == [0])
    #expect(try ids(store, "price == -(-\(digits))") == [0])
    #expect(try ids(store, "rating == \(digits)") == [0])
    #expect(try ids(store, "price * 1e-200 == 0") == [0] && ids(store, "price < 1e300") == [0])
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func floats(_ kind: StoreKind) throws {
    let store = try StoreFixture(TestRepository(objectTypes: [PricedItem.self]), kind)
    let sizes: [Float] = [16_777_216, 0.1, 19.99, 3.141_592_7, 1e20, 8_388_608, 1.234_567_9e11]
    try store.saveAndWait(
      entities: sizes.enumerated().map { PricedItem(value: ["id": $0, "size": $1]) }
    )
    let expected: [(String, [Int])] = [
      ("16777217.0", []), ("16777217", []), ("16777216.0", [0]), ("16777216", [0]), ("0.1", [1]),
      ("0.10", [1]),
      ("19.99", [2]), ("3.1415927", [3]), ("3.14159274", [3]), ("3.14159265", []), ("1e20", [4]),
      ("8388608.25", []), ("1.2345679e11", [6]), ("0.10000000149011612", [1]),
    ]
    for (number, found) in expected {
      #expect(try ids(store, "size == \(number)") == found, "\(number)")
      #expect(try ids(store, "size IN {\(number), -1.5}") == found, "\(number)")
    }
    #expect(try ids(store, "size >= 16777216.0 AND size < 16777217.0") == [0])
    #expect(try ids(store, "size == %@", 0.1) == [1] && ids(store, "size == %@", Float(0.1)) == [1])
    store.closeChecked()
  }
}
