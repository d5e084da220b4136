import FiefRealm
import XCTest

class Shop: Object {
  @Persisted var stock: Map<String, Item?>
}

class Item: Object {
  @Persisted var label = ""
}

final class MapFilterTests: XCTestCase {
  func testFilter() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: name))
    let shop = Shop()
    shop.stock["a"] = Item(value: ["tea"])
    shop.stock["b"] = Item(value: ["milk"])
    try realm.write { realm.add(shop) }
    let found: Results<Item?> = shop.stock.filter("label = 'tea'")
    XCTAssertEqual(found.first!!.label, "tea")
    let sorted: Results<Item?> = shop.stock.sorted(byKeyPath: "label", ascending: true)
    XCTAssertEqual(sorted[0]!.label, "milk")
    XCTAssertEqual(shop.stock.keys.sorted(), ["a", "b"])
  }
}
