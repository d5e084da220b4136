import Fief
import Foundation

/// Something to buy.
final class Product: Object {
  @Persisted(primaryKey: true) var sku: String
  @Persisted(indexed: true) var name: String
  /// The price of one, exact to the last digit.
  @Persisted var price: Decimal
  @Persisted var currency: Currency?
  @Persisted var stock = 0
  @Persisted var labels: MutableSet<String>
  /// The wish lists it is on: the other side of ``WishList/products``.
  @Persisted(originProperty: "products") var wishLists: LinkingObjects<WishList>
}

/// What somebody would like to have.
final class WishList: Object {
  @Persisted(primaryKey: true) var userID: UUID
  @Persisted var products: List<Product>
}

/// What somebody is about to buy: how many of each, by the key of the product.
final class Cart: Object {
  @Persisted(primaryKey: true) var userID: UUID
  @Persisted var quantities: Map<String, Int>
}
