import FiefRealm
import Foundation

func example() throws {
  let standard = try Realm()
  var config = Realm.Configuration.defaultConfiguration
  config.fileURL!.deleteLastPathComponent()
  config.fileURL!.appendPathComponent("user-1")
  config.fileURL!.appendPathExtension("realm")
  let own = try Realm(configuration: config)
  let byFile = try Realm(fileURL: config.fileURL!)
  Realm.Configuration.defaultConfiguration = config
  print(standard.configuration.fileURL ?? "", own.isEmpty, byFile == own)
}
