import FiefRealm
import Foundation

class Store: Object {
  @Persisted var name = ""
  @Persisted var prices: Map<String, Double>
}

func example() throws {
  let realm = try Realm()
  let store = Store()
  store.name = "Corner"
  store.prices["milk"] = 1.2
  store.prices["bread"] = 2.5
  try realm.write {
    realm.add(store)
    store.prices.setValue(1.1, forKey: "milk")
    store.prices["bread"] = nil
    store.prices.removeObject(for: "milk")
  }
  for price in store.prices {
    print(price.key, price.value)
  }
}
