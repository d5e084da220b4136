import Fief
import Foundation

/// The store of products, carts and orders as it was first: its classes, frozen.
///
/// No plan lists it, since the first step begins with it.
package enum PaymentsVersion1: MigrationStep {
  package static let version: UInt64 = 1
  package static let name = "products, carts and orders"
  package static let description = "What the store of payments began with."
  package static var objectTypes: [Object.Type]? {
    [Currency.self, Country.self, Product.self, WishList.self, Cart.self, Order.self]
  }
  package static var embeddedObjectTypes: [EmbeddedObject.Type]? { [OrderLine.self, Address.self] }

  package final class Currency: Object {
    @Persisted(primaryKey: true) package var code: String
    @Persisted package var numeric: String
    @Persisted package var name: String
    @Persisted package var fractionDigits = 2
  }

  package final class Country: Object {
    @Persisted(primaryKey: true) package var code: String
    @Persisted package var alpha3: String
    @Persisted package var name: String
    @Persisted package var flag: String
  }

  package final class Product: Object {
    @Persisted(primaryKey: true) package var sku: String
    @Persisted(indexed: true) package var name: String
    @Persisted package var price: Decimal
    @Persisted package var currency: Currency?
    @Persisted package var stock = 0
    @Persisted package var labels: MutableSet<String>
    @Persisted(originProperty: "products") package var wishLists: LinkingObjects<WishList>
  }

  package final class WishList: Object {
    @Persisted(primaryKey: true) package var userID: UUID
    @Persisted package var products: List<Product>
  }

  package final class Cart: Object {
    @Persisted(primaryKey: true) package var userID: UUID
    @Persisted package var quantities: Map<String, Int>
  }

  package final class Order: Object {
    package enum Status: String, PersistableEnum { case placed, paid, sent }

    @Persisted(primaryKey: true) package var number = 0
    @Persisted(indexed: true) package var userID: UUID
    @Persisted package var placedAt: Date
    @Persisted package var status = Status.placed
    @Persisted package var currency: Currency?
    @Persisted package var total: Decimal
    @Persisted package var lines: List<OrderLine>
    @Persisted package var delivery: Address?
  }

  package final class OrderLine: EmbeddedObject {
    @Persisted package var product: Product?
    @Persisted package var quantity = 1
    @Persisted package var unitPrice: Decimal
  }

  package final class Address: EmbeddedObject {
    @Persisted package var street: String
    @Persisted package var postcode: String
    @Persisted package var city: String
    @Persisted package var country: Country?
  }
}
