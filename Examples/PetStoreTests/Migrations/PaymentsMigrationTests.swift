import Fief
import Foundation
import PetStoreMigrations
import Testing

@testable import PetStoreKit

@Suite("Old stores of payments") struct PaymentsMigrationTests {
  private func contents(of payments: PaymentsRepository) throws -> [String] {
    try payments.read { snapshot in
      let currencies = snapshot.objects(Currency.self).map { currency in
        "currency \(currency.code) \(currency.numeric.map { "\($0)" } ?? "-") \(Words.text(currency.name)) "
          + "\(currency.fractionDigits)"
      }
      let countries = snapshot.objects(Country.self).map { country in
        "country \(country.alpha3) \(country.code) \(Words.text(country.name)) \(Words.text(country.flag))"
      }
      let products = snapshot.objects(Product.self).map { product in
        "product \(product.sku) \(Words.text(product.name)) \(product.price) \(product.currency?.code ?? "-") "
          + "\(product.stock) \(product.grams) \(Words.list(product.labels.sorted())) "
          + "\(Words.list(product.baskets.map { Words.number($0.userID) }.sorted())) "
          + Words.list(product.orderLines.flatMap { $0.orders.map { "\($0.number)" } }.sorted())
      }
      let baskets = snapshot.objects(Basket.self).map { basket in
        "basket \(Words.number(basket.userID)) \(Words.list(basket.wishes.map(\.sku))) "
          + Words.list(basket.quantities.map { "\($0.key)=\($0.value)" }.sorted())
      }
      let orders = snapshot.objects(Order.self).map { order in
        "order \(order.number) \(Words.number(order.userID)) \(Words.seconds(order.placedAt)) \(order.status) "
          + "\(order.currency?.code ?? "-") \(order.total) \(Words.list(order.lines.map(words))) "
          + (order.delivery.map(words) ?? "-")
      }
      let lines = "lines \(snapshot.objects(OrderLine.self).count)"
      return Array(currencies) + Array(countries) + Array(products) + Array(baskets) + Array(orders) + [lines]
    }
  }

  private func words(_ line: OrderLine) -> String {
    "\(line.product?.sku ?? "-")*\(line.quantity)@\(line.unitPrice)" + (line.returnedAt == nil ? "" : "!")
  }

  private func words(_ address: Address) -> String {
    [address.street, address.postcode, address.city].map(Words.text).joined(separator: " ")
      + " \(address.country?.alpha3 ?? "-")"
  }

  @Test("Version 1 to 5", arguments: FixtureStores.Way.allCases)
  func first(way: FixtureStores.Way) throws {
    try FixtureStores.with("payments", version: 1) { directory in
      try FixtureStores.prepare(way, "payments", PaymentsVersion2.self, in: directory)
      let payments = PaymentsRepository(directory: directory)
      defer { payments.close() }
      try FixtureStores.check(payments, version: 5)
      let expected = [
        "currency ALL 8 'Lek' 2",
        "currency EUR 978 'Euro' 2",
        "currency JPY 392 'Yen' 0",
        "currency XTS - 'for tests' -1",
        "country CIV CI 'Côte d'Ivoire' '🇨🇮'",
        "country FRA FR 'France' '🇫🇷'",
        "country JPN JP '日本' '🇯🇵'",
        "product ALL-GOLD 'Sir Bark'…424 12345678901234567890123456789012345.678 ALL 9223372036854775807 0 "
          + "[größer] [] []",
        "product DUST '' 0.0000000001 - 0 0 [] [] []",
        "product EUR-BALL 'Tennis ball' 3.49 EUR 96 0 [dogs toys] [1 4] [1]",
        "product EUR-ROPE 'Chewing rope' 6.99 EUR 0 0 [dogs] [] [1]",
        "product JPY-BED 'Orthopædic bed' 17980 JPY -2 0 [] [1] [2]",
        "basket 1 [EUR-BALL JPY-BED] [EUR-BALL=2 JPY-BED=1]",
        "basket 2 [] []",
        "basket 3 [] [GONE=3]",
        "basket 4 [EUR-BALL EUR-BALL] []",
        "order 0 3 3000.0 placed - 0 [] -",
        "order 1 1 1000.0 paid EUR 17.46 [EUR-BALL*3@3.49 EUR-ROPE*1@6.99] '1 Rue du Chien' '69002' 'Lyon' FRA",
        "order 2 2 2000.0 placed JPY 17980 [JPY-BED*1@17980] 'Wuff! 犬は'…7800 '600-8216' '京都市' JPN",
        "order 9223372036854775807 1 1000.0 sent EUR -0.01 [-*0@-0.01] '' '' '' -",
        "lines 4",
      ]
      Words.expect(try contents(of: payments), expected)
    }
  }

  @Test("Version 1 to 2: a wish list and a cart become a basket")
  func second() throws {
    try FixtureStores.with("payments", version: 1) { directory in
      let plan = MigrationPlan([PaymentsVersion2.self])
      let old = VersionRepository("payments", at: PaymentsVersion2.self, in: directory, plan: plan)
      defer { old.close() }
      try FixtureStores.check(old, version: 2)
      #expect(
        Set(try old.overview().types.map(\.name)) == ["Currency", "Country", "Product", "Basket", "Order"]
      )
      try old.read { snapshot in
        let baskets = snapshot.objects(PaymentsVersion2.Basket.self).map { basket in
          "\(Words.number(basket.userID)) \(basket.wishes.count) \(basket.quantities.count)"
        }
        #expect(Array(baskets) == ["1 2 2", "2 0 0", "3 0 1", "4 2 0"])
        #expect(snapshot.objects(PaymentsVersion2.Currency.self).map(\.numeric) == [8, 978, 392, nil])
        let lines = snapshot.objects(PaymentsVersion2.Order.self).map(\.lines.count)
        #expect(Array(lines) == [0, 2, 1, 1])
      }
    }
  }

  @Test("Version 2 to 5")
  func third() throws {
    try FixtureStores.with("payments", version: 2) { directory in
      let payments = PaymentsRepository(directory: directory)
      defer { payments.close() }
      try FixtureStores.check(payments, version: 5)
      let expected = [
        "currency EUR 978 'Euro' 2",
        "currency XTS - '' 0",
        "country ?XX XX 'Elsewhere' ''",
        "country ?ZZ ZZ 'Nirgendwö' ''",
        "country FRA FR 'France' '🇫🇷'",
        "product EUR-BAG 'Sir Bark'…424 99.999 EUR 0 -32768 [] [1 2] [1 2]",
        "product EUR-BALL 'Tennis ball' 3.49 EUR 0 32767 [dogs jouets à mâcher] [1] [1 1]",
        "basket 1 [EUR-BALL EUR-BAG EUR-BALL] [=0 EUR-BALL=2]",
        "basket 2 [EUR-BAG] []",
        "order 1 1 1.0 paid EUR 1.5 [EUR-BALL*3@3.49 EUR-BAG*1@99.999 -*-1@0 EUR-BALL*3@3.49] "
          + "'1 France' '' 'Wuff! 犬は'…7800 FRA",
        "order 2 2 2.0 paid EUR 2.5 [EUR-BAG*9223372036854775807@99.999] "
          + "'1 Nirgendwö' '' 'Wuff! 犬は'…7800 ?ZZ",
        "order 3 3 3.0 paid - 3.5 [] -",
        "lines 5",
      ]
      Words.expect(try contents(of: payments), expected)
    }
  }

  @Test("From version 3 and before: orders without dogs, and rules", arguments: 1...3)
  func fourth(version: UInt64) async throws {
    try await FixtureStores.with("payments", version: version) { directory in
      let payments = PaymentsRepository(directory: directory)
      defer { payments.close() }
      try FixtureStores.check(payments, version: 5)
      let lines = try payments.count(OrderLine.self)
      try await payments.write { tx in
        for order in tx.objects(Order.self) { #expect(order.dogs.isEmpty) }
        let ball = try #require(try tx.object(ofType: Product.self, forPrimaryKey: "EUR-BALL"))
        #expect(throws: FiefError.self) { try tx.delete(ball) }
        let order = try #require(try tx.object(ofType: Order.self, forPrimaryKey: 1))
        let itsLines = order.lines.count
        try tx.delete(order)
        #expect(try tx.count(OrderLine.self) == lines - itsLines)
      }
      try FixtureStores.check(payments, version: 5)
    }
  }

  @Test("Version 4 to 5: customers without points")
  func fifth() throws {
    try FixtureStores.with("payments", version: 4) { directory in
      let payments = PaymentsRepository(directory: directory)
      defer { payments.close() }
      try FixtureStores.check(payments, version: 5)
      #expect(try payments.count(Order.self) == 2 && payments.count(OrderLine.self) == 3)
      #expect(try payments.count(PointsCard.self) == 0 && payments.count(PointTransaction.self) == 0)
      try payments.read { snapshot in
        let order = try #require(try snapshot.object(ofType: Order.self, forPrimaryKey: 1))
        #expect(order.dogs.count == 7 && order.lines.count == 2)
      }
    }
  }

  @Test("References of orders to dogs lead to them, or say why they do not")
  func references() async throws {
    try await FixtureStores.with("payments", version: 4) { directory in
      let payments = PaymentsRepository(directory: directory)
      let pets = PetRepository(directory: directory)
      let manager = StoreManager(repositories: [payments, pets])
      defer { manager.close() }
      let links = try payments.read { snapshot in
        Array(try #require(try snapshot.object(ofType: Order.self, forPrimaryKey: 1)).dogs)
      }
      let dog = Dog()
      dog.id = try #require(UUID(uuidString: "F1EF0000-0000-4000-8000-00000000000B"))
      dog.name = "Rex"
      try await pets.save(entity: dog, update: false)
      let found = try await manager.resolve(links)
      #expect(found.map { $0.object?.name } == ["Rex", nil, nil, nil, nil, nil, nil])
      #expect(
        found.map(\.reason) == [
          nil, .noObject, .empty, .malformed, .otherType, .unknownStore, .otherKey,
        ]
      )
      try FixtureStores.check(payments, version: 5)
    }
  }
}
