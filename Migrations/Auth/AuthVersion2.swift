import Fief
import Foundation

/// Devices become objects, so that people see where they are signed in and can name their devices.
package enum AuthVersion2: MigrationStep {
  package static let version: UInt64 = 2
  package static let name = "devices of their own"
  package static let description = """
    The device of a session was a text and becomes an object of its account. An account knows when it was last \
    used, and sessions are found by their beginning.
    """
  package static var objectTypes: [Object.Type]? {
    [User.self, Device.self, Session.self, Token.self]
  }

  /// A device belongs to an account: the phones of two people are two.
  private struct Place: Hashable {
    var owner: ObjectKey?
    var name: String
  }

  package static func migrate(_ migration: Migration) throws {
    var devices: [Place: MigrationObject] = [:]
    var lastSeen: [ObjectKey: Date] = [:]
    try migration.enumerateObjects(ofType: "Session") { old, new in
      guard let old, let new else { return }
      let owner = old["user"] as? MigrationObject
      let startedAt: Date = try old.value("startedAt")
      if let owner { lastSeen[owner.key] = max(lastSeen[owner.key] ?? startedAt, startedAt) }
      let name: String = try old.value("device")
      guard !name.isEmpty else { return }
      let place = Place(owner: owner?.key, name: name)
      let device = devices[place] ?? migration.create("Device", value: ["name": name, "owner": owner as Any])
      devices[place] = device
      new["device"] = device
    }
    migration.enumerateObjects(ofType: "User") { old, new in
      if let old, let date = lastSeen[old.key] { new?["lastSeenAt"] = date }
    }
  }
}
