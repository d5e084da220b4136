import FiefRealm
import Foundation

func example() throws {
  let config = Realm.Configuration(deleteRealmIfMigrationNeeded: true)
  _ = try Realm(configuration: config)
  do {
    let deleted = try Realm.deleteFiles(for: config)
    print(deleted, Realm.fileExists(for: config))
  } catch {
    print("Cannot delete: \(error)")
  }
}
