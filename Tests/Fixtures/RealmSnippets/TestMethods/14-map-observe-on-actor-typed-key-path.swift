import FiefRealm
import XCTest

class Shop: Object {
  @Persisted var stock: Map<String, Item?>
}

class Item: Object {
  @Persisted var count = 0
}

final class MapActorTests: XCTestCase {
  @MainActor
  func testObserveOnActor() async throws {
    let realm = try await Realm(configuration: .init(inMemoryIdentifier: "map"))
    let shop = try realm.write { realm.create(Shop.self) }
    let changed = expectation(description: "change")
    let token = await shop.stock.observe(keyPaths: [\.count], on: MainActor.shared) { _, change in
      switch change {
      case .initial: break
      case .update: changed.fulfill()
      case .error(let error): XCTFail("\(error)")
      }
    }
    try realm.write { shop.stock["a"] = Item() }
    try realm.write { shop.stock["a"]??.count += 1 }
    await fulfillment(of: [changed], timeout: 1)
    token.invalidate()
  }
}
