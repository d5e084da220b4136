import FiefRealm
import Foundation

func openCompacted() throws -> Realm {
  let config = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
    let limit = 100 * 1024 * 1024
    return (totalBytes > limit) && (Double(usedBytes) / Double(totalBytes)) < 0.5
  })
  return try Realm(configuration: config)
}

@MainActor
func openCompactedLater() async throws -> Realm {
  var config = Realm.Configuration.defaultConfiguration
  config.shouldCompactOnLaunch = { total, used in used < total / 2 }
  return try await Realm(configuration: config, actor: MainActor.shared)
}
