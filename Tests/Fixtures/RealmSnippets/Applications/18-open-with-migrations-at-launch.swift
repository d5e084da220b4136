import FiefRealm
import Foundation

enum Database {
  static let version: UInt64 = 7

  static func setUp() {
    var config = Realm.Configuration.defaultConfiguration
    config.schemaVersion = version
    config.migrationBlock = { migration, old in
      if old < 5 { Self.addIdentifiers(migration) }
      if old < 7 { migration.renameProperty(onType: "Bill", from: "sum", to: "total") }
    }
    Realm.Configuration.defaultConfiguration = config
    _ = try? Realm()
  }

  private static func addIdentifiers(_ migration: Migration) {
    migration.enumerateObjects(ofType: "Bill") { _, newObject in
      newObject?["id"] = UUID().uuidString
    }
  }
}
