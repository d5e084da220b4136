import FiefRealm
import Foundation

struct MigrationGuard {
  static func needsMigration(current: UInt64) -> Bool {
    guard let url = Realm.Configuration.defaultConfiguration.fileURL,
      let stored = try? schemaVersionAtURL(url)
    else { return false }
    return stored < current
  }

  static func migrate() throws {
    guard Realm.fileExists(for: .defaultConfiguration) else { return }
    try Realm.performMigration(for: .defaultConfiguration)
  }
}
