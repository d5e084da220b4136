import FiefCommands
import PetStoreKit

let store = try PetStore.unopened(in: "petstore-data")
MigrationRunner(store.auth, store.pets, store.payments, store.ads, store.catalogue, store.chat).main()
