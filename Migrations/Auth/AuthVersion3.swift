import Fief
import Foundation

/// Sessions that are over leave the list of those that are not, and an e-mail address has one spelling.
package enum AuthVersion3: MigrationStep {
  package static let version: UInt64 = 3
  package static let name = "past sessions"
  package static let description = """
    Sessions without a token move to the past ones. Refresh tokens, which nothing has ever issued, are deleted. \
    E-mail addresses are kept in lower case, keepers are called staff, and `createdAt` of an account is \
    `registeredAt`.
    """

  package static var objectTypes: [Object.Type]? {
    [User.self, Device.self, Session.self, PastSession.self, Token.self]
  }

  package static func migrate(_ migration: Migration) throws {
    migration.renameProperty(onType: "User", from: "createdAt", to: "registeredAt")
    try migration.enumerateObjects(ofType: "User") { old, new in
      guard let old, let new else { return }
      let email: String = try old.value("email")
      if email != email.lowercased() { new["email"] = email.lowercased() }
      if try old.value("role") == "keeper" { new["role"] = "staff" }
    }
    // Deleting a token takes it out of the lists of its sessions.
    try migration.enumerateObjects(ofType: "Token") { old, new in
      if let old, let new, try old.value("kind") == "refresh" { migration.delete(new) }
    }
    migration.enumerateObjects(ofType: "Session") { _, new in
      guard let new, (new["tokens"] as? [Any?])?.isEmpty ?? true else { return }
      migration.move(new, toType: "PastSession")
    }
  }
}
