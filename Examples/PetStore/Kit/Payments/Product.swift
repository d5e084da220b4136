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
  /// What one weighs; 0 where that is not known.
  @Persisted var grams: Int32 = 0
  @Persisted var labels: MutableSet<String>
  /// The baskets that it is wished for in: the other side of ``Basket/wishes``.
  @Persisted(originProperty: "wishes") var baskets: LinkingObjects<Basket>
  /// Where it was sold: the other side of ``OrderLine/product``.
  @Persisted(originProperty: "product") var orderLines: LinkingObjects<OrderLine>

  /// What was sold stays, since orders say what it was.
  override class func relationships() -> [Relationship] {
    [Relationship(\Product.orderLines, deleteRule: .deny)]
  }
}

/// What a person would like to have, and is about to buy.
final class Basket: Object {
  @Persisted(primaryKey: true) var userID: UUID
  @Persisted var wishes: List<Product>
  /// How many of each are bought with the next order, by the key of the product.
  @Persisted var quantities: Map<String, Int>
}
