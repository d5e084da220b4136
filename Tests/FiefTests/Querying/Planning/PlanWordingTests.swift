import Fief
import FiefTesting
import Testing

/// The words of a plan about the order of the objects.
@Suite struct PlanWordingTests {
  final class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var rank = 0
    @Persisted var weight = 0
  }

  @Test(arguments: StoreKind.allCases) func aPlanNamesASortOnlyIfThereIsOne(_ kind: StoreKind) throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: [Item.self]), kind)
    try fixture.write { try $0.add((0..<50).map { Item(value: ["id": $0, "rank": $0 % 7]) }) }
    let items = fixture.store().objects(Item.self)
    for results in [items, items.where { $0.rank == 3 }, items.sorted(by: \.id)] {
      let text = try results.explain().description
      #expect(text.contains("needs no sort") && !text.contains("sorts") && !text.contains("order"), "\(text)")
    }
    let sorted = try items.sorted(by: \.weight).explain().description
    #expect(sorted.contains("sorts, in memory") && !sorted.contains("needs no sort"), "\(sorted)")
  }
}
