import Fief

/// The application: six domains, each with a store of its own.
///
/// Every domain has a folder with its models and its repository, and no domain links objects of another one: where one
/// refers to another, it keeps the key, or a reference with store, class and key.
package struct PetStore: Sendable {
  package let auth: AuthRepository
  package let pets: PetRepository
  package let payments: PaymentsRepository
  package let ads: AdRepository
  package let catalogue: CatalogueRepository
  package let chat: ChatRepository
  /// Opens and closes all of them together.
  package let manager: StoreManager

  /// Describes the stores under a directory; nothing is opened yet.
  ///
  /// - Parameter encryption: the key of the stores with accounts and payments; nil leaves them in clear.
  package init(directory: String, encryption: StoreEncryption? = nil) {
    auth = AuthRepository(directory: directory, encryption: encryption)
    pets = PetRepository(directory: directory)
    payments = PaymentsRepository(directory: directory, encryption: encryption)
    ads = AdRepository(identifier: "petstore-ads")
    catalogue = CatalogueRepository(directory: directory)
    chat = ChatRepository(directory: directory)
    manager = StoreManager(repositories: [auth, pets, payments, ads, catalogue, chat])
  }
}
