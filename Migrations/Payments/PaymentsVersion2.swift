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
    var baskets: [ObjectKey: MigrationObject] = [:]
    migration.enumerateObjects(ofType: "WishList") { old, _ in
      guard let old else { return }
      let values = ["userID": old["userID"] as Any, "wishes": old["products"] as Any]
      baskets[old.key] = migration.create("Basket", value: values)
    }
    migration.enumerateObjects(ofType: "Cart") { old, _ in
      guard let old else { return }
      let basket = baskets[old.key] ?? migration.create("Basket", value: ["userID": old["userID"] as Any])
      basket["quantities"] = old["quantities"]
    }
  }
}
