import FiefRealm
import Foundation

func openInCaches() throws -> Realm {
  var configuration = Realm.Configuration()
  let caches = NSSearchPathForDirectoriesInDomains(.cachesDirectory, .userDomainMask, true)[0]
  configuration.fileURL = URL(fileURLWithPath: caches).appendingPathComponent("cache.realm")
  let realm = try Realm(configuration: configuration)
  let folder = realm.configuration.fileURL!.deletingLastPathComponent().path
  try FileManager.default.setAttributes([.protectionKey: FileProtectionType.none], ofItemAtPath: folder)
  return realm
}
