import FiefTesting
import Foundation
import Testing

@testable import Fief

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
    try store.store().objects(PricedItem.self).filter(text, arguments: arguments).all().map(\.id)
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
