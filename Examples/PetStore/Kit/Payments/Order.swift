import Fief
import Foundation

/// What somebody has bought. Its address is a part of it: it is stored in it, and goes when it goes.
final class Order: Object {
  /// How far an order has come.
  enum Status: String, PersistableEnum {
    case placed
    case paid
    case sent
  }

  @Persisted(primaryKey: true) var number = 0
  @Persisted(indexed: true) var userID: UUID
  @Persisted(indexed: true) var placedAt: Date
  @Persisted var status = Status.placed
  @Persisted var currency: Currency?
  @Persisted var total: Decimal
  @Persisted var lines: List<OrderLine>
  @Persisted var delivery: Address?
}

/// One line of an order, with the price as it was on that day. It has no primary key: the store gives it one.
final class OrderLine: Object {
  @Persisted var product: Product?
  @Persisted var quantity = 1
  @Persisted var unitPrice: Decimal
  /// When it was sent back; nil where the customer keeps it.
  @Persisted var returnedAt: Date?
  /// The order that it belongs to: the other side of ``Order/lines``.
  @Persisted(originProperty: "lines") var orders: LinkingObjects<Order>
}

/// Where an order goes.
final class Address: EmbeddedObject {
  @Persisted var street: String
  @Persisted var postcode: String
  @Persisted var city: String
  @Persisted var country: Country?
}
