import Fief
import Foundation

/// A repository that is not final, with nothing but the six properties.
class PetRepository: DatabaseConfigurable {
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

/// Can be shared by everyone.
final class LogRepository: DatabaseConfigurable, Sendable {
  static let shared = LogRepository()

  let realmMemoryType: RealmMemoryType = .inMemory(identifier: "log")
  let schemaName: String? = "Log"
  let schemaVersion: UInt64? = nil
  let objectTypes: [Object.Type]? = [Token.self]
  let embeddedObjectTypes: [EmbeddedObject.Type]? = []
  let migrationBlock: MigrationBlock? = nil
}

/// A value.
struct TokenRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "Tokens" }
  var schemaVersion: UInt64? { 0 }
  var objectTypes: [Object.Type]? { [Token.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }
}
