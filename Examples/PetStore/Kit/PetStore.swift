import Fief

/// The application: five domains, each with a store of its own.
///
/// Every domain has a folder with its models and its repository, and no domain links objects of another one: where one
/// refers to another, it keeps the key, or a reference with store, class and key.
package struct PetStore: Sendable {
  package let auth: AuthRepository
  package let pets: PetRepository
  package let payments: PaymentsRepository
  package let ads: AdRepository
  package let catalogue: CatalogueRepository
  /// Opens and closes all of them together.
  package let manager: StoreManager

  /// Describes the stores under a directory; nothing is opened yet.
  package init(directory: String) {
    auth = AuthRepository(directory: directory)
    pets = PetRepository(directory: directory)
    payments = PaymentsRepository(directory: directory)
    ads = AdRepository(identifier: "petstore-ads")
    catalogue = CatalogueRepository(directory: directory)
    manager = StoreManager(repositories: [auth, pets, payments, ads, catalogue])
  }
}
