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
  /// The weight of one; 0 where that is not known.
  @Persisted var grams: Int32 = 0
  @Persisted var labels: MutableSet<String>
  /// The baskets that it is wished for in: the other side of ``Basket/wishes``.
  @Persisted(originProperty: "wishes") var baskets: LinkingObjects<Basket>
  /// The order lines in which it was sold: the other side of ``OrderLine/product``.
  @Persisted(originProperty: "product") var orderLines: LinkingObjects<OrderLine>

  /// A product that was sold stays, since orders refer to it.
  override class func relationships() -> [Relationship] {
    [Relationship(\Product.orderLines, deleteRule: .deny)]
  }
}

/// The wishes of a person, and the products that the next order buys.
final class Basket: Object {
  @Persisted(primaryKey: true) var userID: UUID
  @Persisted var wishes: List<Product>
  /// The number of each that is bought with the next order, by the key of the product.
  @Persisted var quantities: Map<String, Int>
}
