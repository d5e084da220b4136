import Fief

/// A line of an order can be sent back without the others.
package enum PaymentsVersion3: MigrationStep {
  package static let version: UInt64 = 3
  package static let name = "lines of their own, countries by three letters"
  package static let description = """
    The lines of an order, which were parts of it, become objects that products know. Countries are known by their \
    three letters, as customs forms want them, and addresses follow. Weights may exceed 32 kg.
    """
  package static var objectTypes: [Object.Type]? {
    [Currency.self, Country.self, Product.self, Basket.self, Order.self, OrderLine.self]
  }
  package static var embeddedObjectTypes: [EmbeddedObject.Type]? { [Address.self] }

  package static func migrate(_ migration: Migration) throws {
    // A country without three letters of its own would get the key of another one.
    try migration.enumerateObjects(ofType: "Country") { old, new in
      guard let old, let new, try old.value("alpha3", as: String.self).isEmpty else { return }
      new["alpha3"] = "?" + (try old.value("code", as: String.self))
    }
  }
}
