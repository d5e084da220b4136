import FiefRealm
import Foundation

final class UserDatabase {
  let configuration: Realm.Configuration

  init(userId: String, key: Data) {
    let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
    configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("\(userId).realm"),
      encryptionKey: key,
      schemaVersion: 3,
      deleteRealmIfMigrationNeeded: false)
  }

  func open() throws -> Realm { try Realm(configuration: configuration) }
}
