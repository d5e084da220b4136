import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The mean of decimals.
struct DecimalMeanTests {
  private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  @Test(arguments: StoreKind.allCases) func isADecimalWhereOneIsAskedFor(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      let prices = try ["12345678901234567890.1", "12345678901234567890.4"].map(decimal)
      try store.write {
        for (index, price) in prices.enumerated() {
          store.create(MadeDog.self, value: ["id": index, "age": index, "price": price, "amounts": prices])
        }
        let last: [String: Any] = [
          "id": 2, "price": prices[0], "discount": prices[1], "amountMap": ["k": prices[0]],
        ]
        store.create(MadeDog.self, value: last)
      }
      let dogs = store.objects(MadeDog.self).where { $0.id < 2 }
      let mean = try decimal("12345678901234567890.25")
      let byPath: Decimal? = dogs.average(of: \.price)
      let byName: Decimal? = dogs.average(ofProperty: "price")
      let byWay: Decimal? = dogs.average(of: { $0.price })
      #expect(byPath == mean && byName == mean && byWay == mean)
      let optional: Decimal? = store.objects(MadeDog.self).average(of: \.discount)
      #expect(optional == prices[1])
      let ofNone: Decimal? = dogs.average(of: \.discount)
      #expect(ofNone == nil)
      let ofIntegers: Decimal? = dogs.average(ofProperty: "age")
      #expect(try ofIntegers == decimal("0.5"))
      let values: Decimal? = dogs.first?.amounts.average()
      #expect(values == mean)
      let entries: Decimal? = store.objects(MadeDog.self).last?.amountMap.average()
      #expect(entries == prices[0])
      // The mean is a number like all others where no type is given.
      let plain = dogs.average(of: \.price)
      #expect(plain.map { $0 > 1.2e19 } == true)
    }
  }
}
