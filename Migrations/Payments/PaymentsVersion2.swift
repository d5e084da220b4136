import Fief
import Foundation

/// Wish lists and carts, which were two objects for each account, become one.
package enum PaymentsVersion2: MigrationStep {
  package static let version: UInt64 = 2
  package static let name = "baskets"
  package static let description = """
    The wish list and the cart of an account are merged into a basket. The numeric code of a currency is a number. \
    Products have a weight, and orders are found by their date.
    """
  package static var objectTypes: [Object.Type]? {
    [Currency.self, Country.self, Product.self, Basket.self, Order.self]
  }
  package static var embeddedObjectTypes: [EmbeddedObject.Type]? { [OrderLine.self, Address.self] }

  package static func migrate(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Currency") { old, new in
      if let old { new?["numeric"] = Int(try old.value("numeric", as: String.self)) }
    }
    // The account, which has the same name in both types, is kept by itself.
    migration.enumerateObjects(ofType: "WishList") { list, _ in
      guard let list else { return }
      migration.move(list, toType: "Basket", value: ["wishes": list["products"] as Any])
    }
    try migration.enumerateObjects(ofType: "Cart") { cart, _ in
      guard let cart else { return }
      if let basket = try migration.object(ofType: "Basket", forPrimaryKey: cart.key) {
        basket["quantities"] = cart["quantities"]
      } else {
        migration.move(cart, toType: "Basket")
      }
    }
  }
}
