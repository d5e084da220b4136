import Fief
import FiefTree

/// A store of the torture tests, in one of two versions.
package struct TortureRepository: DatabaseConfigurable, Sendable {
  package let name: String
  package let directory: String?
  package let version: UInt64
  package var storeOptions = StoreOptions()

  package init(_ name: String, in directory: String, version: UInt64 = 1) {
    self.name = name
    self.directory = directory
    self.version = version
  }

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { name }
  package var schemaVersion: UInt64? { version }
  package var objectTypes: [Object.Type]? {
    JSONTree.objectTypes
      + (version == 1 ? [TortureItem.self, TortureOwner.self] : [NewerItem.self, NewerOwner.self])
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  package var migrationBlock: MigrationBlock? {
    { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        guard let id = old?["id"] as? Int else { return }
        new?["stars"] = id % 6
      }
    }
  }
}
