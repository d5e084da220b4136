import FiefCommands
import PetStoreKit

let store = PetStore(directory: "petstore-data")
MigrationRunner(store.auth, store.pets, store.payments, store.ads, store.catalogue).main()
