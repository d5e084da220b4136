import FiefRealm
import Foundation

func openShared() throws -> Realm {
  let manager = FileManager.default
  guard let container = manager.containerURL(forSecurityApplicationGroupIdentifier: "group.example.app") else {
    return try Realm()
  }
  let url = container.appendingPathComponent("default.realm")
  let config = Realm.Configuration(fileURL: url)
  Realm.Configuration.defaultConfiguration = config
  return try Realm(configuration: config)
}
