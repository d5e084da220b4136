import FiefRealm
import Foundation

class CartLine: Object {
  @Persisted(primaryKey: true) var productId: String
  @Persisted var quantity: Int
  @Persisted var price: Decimal128
}

final class Cart {
  private let realm: Realm
  init(realm: Realm) { self.realm = realm }

  func add(_ id: String, price: Decimal128) throws {
    try realm.write {
      if let line = realm.object(ofType: CartLine.self, forPrimaryKey: id) {
        line.quantity += 1
      } else {
        realm.add(CartLine(value: ["productId": id, "quantity": 1, "price": price]))
      }
    }
  }

  var total: Decimal128 {
    realm.objects(CartLine.self).reduce(0) { $0 + $1.price * Decimal128(value: $1.quantity) }
  }
}
