import Fief
import Foundation

/// What somebody has bought. Its lines and its address are parts of it: they are stored in it, and go
/// when it goes.
final class Order: Object {
  /// How far an order has come.
  enum Status: String, PersistableEnum {
    case placed
    case paid
    case sent
  }

  @Persisted(primaryKey: true) var number = 0
  @Persisted(indexed: true) var userID: UUID
  @Persisted var placedAt: Date
  @Persisted var status = Status.placed
  @Persisted var currency: Currency?
  @Persisted var total: Decimal
  @Persisted var lines: List<OrderLine>
  @Persisted var delivery: Address?
}

/// One line of an order, with the price as it was on that day.
final class OrderLine: EmbeddedObject {
  @Persisted var product: Product?
  @Persisted var quantity = 1
  @Persisted var unitPrice: Decimal
}

/// Where an order goes.
final class Address: EmbeddedObject {
  @Persisted var street: String
  @Persisted var postcode: String
  @Persisted var city: String
  @Persisted var country: Country?
}
