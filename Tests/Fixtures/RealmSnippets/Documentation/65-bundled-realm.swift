import FiefRealm
import Foundation

func openBundled() throws -> Realm? {
  guard let url = Bundle.main.url(forResource: "seed", withExtension: "realm") else { return nil }
  let config = Realm.Configuration(fileURL: url, readOnly: true)
  let seed = try Realm(configuration: config)
  let copy = Realm.Configuration.defaultConfiguration.fileURL!
  try seed.writeCopy(toFile: copy)
  let seeded = Realm.Configuration(seedFilePath: url)
  return try Realm(configuration: seeded)
}
