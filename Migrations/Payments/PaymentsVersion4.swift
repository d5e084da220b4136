import Fief

/// Dogs find a home through the shop, and the order says which.
package enum PaymentsVersion4: MigrationStep {
  package static let version: UInt64 = 4
  package static let name = "dogs of orders, rules"
  package static let description = """
    An order refers to the dogs that it brings home, which are in the store of pets. Its lines go with it, and a \
    product that was sold stays.
    """
  package static var objectTypes: [Object.Type]? {
    [Currency.self, Country.self, Product.self, Basket.self, Order.self, OrderLine.self]
  }
  package static var embeddedObjectTypes: [EmbeddedObject.Type]? { [Address.self] }
}
