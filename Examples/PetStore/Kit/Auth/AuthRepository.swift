import Fief
import Foundation

/// The store of accounts: who may come in, and where they are signed in.
package final class AuthRepository: DatabaseConfigurable, Sendable {
  package let directory: String?

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "auth" }
  package var schemaVersion: UInt64? { 1 }
  package var objectTypes: [Object.Type]? { [User.self, Session.self, Token.self] }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  package var migrationBlock: MigrationBlock? { nil }

  /// Describes the store under a directory.
  package init(directory: String?) {
    self.directory = directory
  }

  /// Makes an account and signs it in on a device: three objects in one write, all of them or none.
  ///
  /// - Returns: the new account's key, under which the other stores refer to it.
  func register(
    name: String,
    email: String,
    device: String,
    lifetime: TimeInterval = 3600,
    at now: Date = Date()
  ) async throws -> UUID {
    try await write { tx in
      let user = User()
      user.name = name
      user.email = email
      user.createdAt = now

      let token = Token()
      token.expiresAt = now.addingTimeInterval(lifetime)
      token.scopes.insert("shop")

      let session = Session()
      session.user = user
      session.device = device
      session.startedAt = now
      session.tokens.append(token)
      try tx.add(session, update: .error)
      return user.id
    }
  }

  /// The names of the devices that an account is signed in on, found by the inverse of the link.
  func devices(ofUser id: UUID) throws -> [String] {
    try read { snapshot in
      guard let user = try snapshot.object(ofType: User.self, forPrimaryKey: id) else { return [] }
      return user.sessions.map(\.device).sorted()
    }
  }

  /// Deletes the tokens that have expired.
  ///
  /// - Returns: how many there were.
  func sweepTokens(at now: Date = Date()) async throws -> Int {
    try await write { tx in
      let expired = tx.objects(Token.self).filter { $0.expiresAt <= now }
      for token in expired { try tx.delete(token) }
      return expired.count
    }
  }
}
