import Fief

/// The application: five domains, each with a store of its own.
///
/// Every domain has a folder with its models and its repository. No domain knows another one's classes:
/// where one refers to another, it keeps the key.
struct PetStore: Sendable {
  let auth: AuthRepository
  let pets: PetRepository
  let payments: PaymentsRepository
  let ads: AdRepository
  let catalogue: CatalogueRepository
  /// Opens and closes all of them together.
  let manager: StoreManager

  /// Describes the stores under a directory; nothing is opened yet.
  init(directory: String) {
    auth = AuthRepository(directory: directory)
    pets = PetRepository(directory: directory)
    payments = PaymentsRepository(directory: directory)
    ads = AdRepository(identifier: "petstore-ads")
    catalogue = CatalogueRepository(directory: directory)
    manager = StoreManager(directory: directory, repositories: [auth, pets, payments, ads, catalogue])
  }
}
