import Fief
import Foundation

/// A repository that is not final, with nothing but the six properties.
class PetRepository: DatabaseConfigurable {
  static let shared = PetRepository()

  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "Pets" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [Person.self, Dog.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [Address.self] }
  var migrationBlock: MigrationBlock? {
    { migration, oldVersion in
      if oldVersion < 1 {
        migration.enumerateObjects(ofType: Dog.className()) { old, new in
          new?["age"] = old?["age"]
        }
      }
    }
  }
}

/// Stored properties, as many have them.
class AuthRepository: DatabaseConfigurable {
  static let shared = AuthRepository()

  var realmMemoryType: RealmMemoryType = .inMemory(identifier: "auth")
  var schemaName: String? = "Auth"
  var schemaVersion: UInt64? = 0
  var objectTypes: [Object.Type]? = [Token.self]
  var embeddedObjectTypes: [EmbeddedObject.Type]? = nil
  var migrationBlock: MigrationBlock? = nil
}

/// One repository inherits from another one.
class OldPetRepository: PetRepository {
  override var schemaName: String? { "Old Pets" }
}
