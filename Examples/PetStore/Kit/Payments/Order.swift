import Fief
import Foundation

/// The purchase of a person. Its address is a part of it, stored in it; its lines are objects, and go when it goes.
final class Order: Object {
  /// The progress of an order.
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
  /// The dogs that it brings home. They are in the store of pets, so these are no links: to follow one means to ask that
  /// store, and a dog that is not there any more leaves a reference to nothing.
  @Persisted var dogs: List<CrossStoreLink<Dog>>

  override class func relationships() -> [Relationship] {
    [Relationship(\Order.lines, deleteRule: .cascade)]
  }
}

/// One line of an order, with the price as it was on that day. It has no primary key: the store gives it one.
final class OrderLine: Object {
  @Persisted var product: Product?
  @Persisted var quantity = 1
  @Persisted var unitPrice: Decimal
  /// The time at which it was sent back; nil where the customer keeps it.
  @Persisted var returnedAt: Date?
  /// The order that it belongs to: the other side of ``Order/lines``.
  @Persisted(originProperty: "lines") var orders: LinkingObjects<Order>
}

/// The destination of an order.
final class Address: EmbeddedObject {
  @Persisted var street: String
  @Persisted var postcode: String
  @Persisted var city: String
  @Persisted var country: Country?
}
