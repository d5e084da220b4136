import FiefRealm
import FiefTesting
import Foundation
import Testing

final class PricedPart: EmbeddedObject {
  @Persisted var price = Decimal(0)
  @Persisted var discount: Decimal?
  @Persisted var count = 0
  @Persisted var weight: Double?
}

final class PricedOrder: Object {
  @Persisted var city = ""
  @Persisted var total = Decimal(0)
  @Persisted var refund: Decimal?
  @Persisted var parts: List<PricedPart>
}

/// Aggregates of embedded objects, and of groups, of decimals above all.
struct AggregateTests {
  private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  @Test(arguments: StoreKind.allCases) func ofEmbeddedObjects(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let repository = TestRepository(objectTypes: [PricedOrder.self], embedded: [PricedPart.self])
      let realm = repository.store()
      let large = try decimal("12345678901234567890.1")
      try realm.write {
        let parts: [[String: Any]] = [
          ["price": large, "discount": large, "count": 1, "weight": 1.5],
          ["price": try decimal("12345678901234567890.4"), "count": 4],
        ]
        realm.create(PricedOrder.self, value: ["city": "Oslo", "parts": parts])
      }
      let parts = try #require(realm.objects(PricedOrder.self).first).parts.results
      let mean = try decimal("12345678901234567890.25")
      let byPath: Decimal? = parts.average(of: \.price)
      let byName: Decimal? = parts.average(ofProperty: "price")
      let optional: Decimal? = parts.average(of: \.discount)
      #expect(byPath == mean && byName == mean && optional == large)
      #expect(parts.sum(of: \.discount) == large && parts.max(of: \.discount) == large)
      #expect(parts.sum(of: \.count) == 5 && parts.average(of: \.count) == 2.5)
      #expect(
        parts.sum(of: \.weight) == 1.5 && parts.average(of: \.weight) == 1.5 && parts.min(of: \.weight) == 1.5
      )
      #expect(parts.sum(ofProperty: "count") == 5 && parts.average(ofProperty: "count") == 2.5)
      #expect(parts.min(ofProperty: "count") == 1 && parts.max(ofProperty: "count") == 4)
      let none: Decimal? = parts.where { $0.count > 9 }.average(of: \.price)
      #expect(none == nil && parts.where { $0.count > 9 }.sum(of: \.price) == 0)
      let events = withExpectedEvents { #expect(parts.average(ofProperty: "nothing") as Double? == nil) }
      #expect(events.compactMap { $0.failure?.code } == [.unknownProperty])
    }
  }

  @Test(arguments: StoreKind.allCases) func groupedMeansOfDecimalsAreDecimals(_ kind: StoreKind) throws {
    try withFreshStores(kind) {
      let repository = TestRepository(objectTypes: [PricedOrder.self], embedded: [PricedPart.self])
      let realm = repository.store()
      let totals = try ["12345678901234567890.1", "12345678901234567890.4"].map(decimal)
      try realm.write {
        for total in totals {
          let values: [String: Any] = ["city": "Oslo", "total": total, "parts": [["price": total]]]
          realm.create(PricedOrder.self, value: values)
        }
        let values: [String: Any] = ["city": "Rome", "total": totals[0], "refund": totals[1]]
        realm.create(PricedOrder.self, value: values)
      }
      let groups = try realm.objects(PricedOrder.self).grouped(by: \.city)
        .aggregate(.average(\.total), .average(\.refund), .average { $0.parts.price })
      let mean = try decimal("12345678901234567890.25")
      #expect(groups.map(\.key) == ["Oslo", "Rome"])
      #expect(groups.map(\.values.0) == [mean, totals[0]])
      #expect(groups.map(\.values.1) == [nil, totals[1]] && groups.map(\.values.2) == [mean, nil])
      let numbers = try realm.objects(PricedOrder.self).grouped(by: \.city)
        .aggregate(GroupAggregate<PricedOrder, Double?>.average(\.total))
      #expect(numbers.count == 2 && numbers[0].values.map { $0 > 1.2e19 } == true)
    }
  }
}
