import Fief
import Foundation
import PetStoreMigrations

/// The store of products, carts and orders.
package final class PaymentsRepository: DatabaseConfigurable, Sendable {
  package let directory: String?
  private let encryption: StoreEncryption?

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "payments" }
  package var schemaVersion: UInt64? { MigrationPlan.payments.version }
  package var objectTypes: [Object.Type]? {
    [
      Currency.self, Country.self, Product.self, Basket.self, Order.self, OrderLine.self, PointsCard.self,
      PointTransaction.self,
    ]
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [Address.self] }
  package var migrationPlan: MigrationPlan? { .payments }
  package var storeOptions: StoreOptions { .keepingUsage(encryptedWith: encryption) }

  /// Describes the store under a directory; with a key it is encrypted.
  package init(directory: String?, encryption: StoreEncryption? = nil) {
    self.directory = directory
    self.encryption = encryption
  }

  /// Stores the currencies and countries; those that are there are brought up to date.
  func load(_ codes: ISOCodes) async throws {
    try await write { tx in
      for entry in codes.currencies {
        let currency = Currency()
        currency.code = entry.code
        currency.numeric = Int(entry.numeric)
        currency.name = entry.name
        currency.fractionDigits = entry.fractionDigits
        try tx.add(currency, update: .all)
      }
      for entry in codes.countries {
        let country = Country()
        country.code = entry.code
        country.alpha3 = entry.alpha3
        country.name = entry.name
        country.flag = entry.flag
        try tx.add(country, update: .all)
      }
    }
  }

  /// Stores products from a JSON document, as a server would send it.
  ///
  /// - Parameter json: an array of objects with the properties of ``Product``.
  func stock(fromJSON json: Data) async throws {
    try await save(saveClass: Product.self, jsonData: json, update: true)
  }

  /// Each product's key with its price and currency, in the order of the keys.
  func priceList() throws -> [(sku: String, name: String, price: Decimal, currency: String)] {
    try read { snapshot in
      snapshot.objects(Product.self).sorted(byKeyPath: "sku", ascending: true).map { product in
        (sku: product.sku, name: product.name, price: product.price, currency: product.currency?.code ?? "?")
      }
    }
  }
}
