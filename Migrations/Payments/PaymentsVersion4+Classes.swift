import Fief
import Foundation

// The classes of version 4, frozen.
extension PaymentsVersion4 {
  package final class Currency: Object {
    @Persisted(primaryKey: true) package var code: String
    @Persisted package var numeric: Int?
    @Persisted package var name: String
    @Persisted package var fractionDigits = 2
  }

  package final class Country: Object {
    @Persisted(primaryKey: true) package var alpha3: String
    @Persisted(indexed: true) package var code: String
    @Persisted package var name: String
    @Persisted package var flag: String
  }

  package final class Product: Object {
    @Persisted(primaryKey: true) package var sku: String
    @Persisted(indexed: true) package var name: String
    @Persisted package var price: Decimal
    @Persisted package var currency: Currency?
    @Persisted package var stock = 0
    @Persisted package var grams: Int32 = 0
    @Persisted package var labels: MutableSet<String>
    @Persisted(originProperty: "wishes") package var baskets: LinkingObjects<Basket>
    @Persisted(originProperty: "product") package var orderLines: LinkingObjects<OrderLine>

    package override class func relationships() -> [Relationship] {
      [Relationship(\Product.orderLines, deleteRule: .deny)]
    }
  }

  package final class Basket: Object {
    @Persisted(primaryKey: true) package var userID: UUID
    @Persisted package var wishes: List<Product>
    @Persisted package var quantities: Map<String, Int>
  }

  package final class Order: Object {
    package enum Status: String, PersistableEnum { case placed, paid, sent }

    @Persisted(primaryKey: true) package var number = 0
    @Persisted(indexed: true) package var userID: UUID
    @Persisted(indexed: true) package var placedAt: Date
    @Persisted package var status = Status.placed
    @Persisted package var currency: Currency?
    @Persisted package var total: Decimal
    @Persisted package var lines: List<OrderLine>
    @Persisted package var delivery: Address?
    // Links to dogs of the store of pets: texts.
    @Persisted package var dogs: List<String>

    package override class func relationships() -> [Relationship] {
      [Relationship(\Order.lines, deleteRule: .cascade)]
    }
  }

  package final class OrderLine: Object {
    @Persisted package var product: Product?
    @Persisted package var quantity = 1
    @Persisted package var unitPrice: Decimal
    @Persisted package var returnedAt: Date?
    @Persisted(originProperty: "lines") package var orders: LinkingObjects<Order>
  }

  package final class Address: EmbeddedObject {
    @Persisted package var street: String
    @Persisted package var postcode: String
    @Persisted package var city: String
    @Persisted package var country: Country?
  }
}
