import Fief
import Foundation
import PetStoreMigrations

/// The store of accounts: who may come in, and where they are signed in.
package final class AuthRepository: DatabaseConfigurable, Sendable {
  package let directory: String?
  private let encryption: StoreEncryption?

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "auth" }
  package var schemaVersion: UInt64? { MigrationPlan.auth.version }
  package var objectTypes: [Object.Type]? {
    [User.self, Device.self, Session.self, PastSession.self, Token.self]
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  package var migrationPlan: MigrationPlan? { .auth }
  package var storeOptions: StoreOptions { .keepingUsage(encryptedWith: encryption) }

  /// Describes the store under a directory; with a key it is encrypted.
  package init(directory: String?, encryption: StoreEncryption? = nil) {
    self.directory = directory
    self.encryption = encryption
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
      user.email = email.lowercased()
      user.registeredAt = now
      user.lastSeenAt = now

      let hardware = Device()
      hardware.name = device
      hardware.owner = user

      let token = Token()
      token.expiresAt = now.addingTimeInterval(lifetime)
      token.scopes.insert("shop")

      let session = Session()
      session.user = user
      session.device = hardware
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
      return user.sessions.compactMap(\.device?.name).sorted()
    }
  }

  /// Signs an account out: its sessions on a device become past ones, and their tokens are deleted.
  ///
  /// - Returns: the number of sessions.
  func signOut(user id: UUID, device name: String, at now: Date = Date()) async throws -> Int {
    try await write { tx in
      guard let user = try tx.object(ofType: User.self, forPrimaryKey: id) else { return 0 }
      let sessions = user.sessions.filter { $0.device?.name == name }
      for session in sessions {
        let past = PastSession()
        past.id = session.id
        past.user = user
        past.device = session.device
        past.startedAt = session.startedAt
        past.endedAt = now
        try tx.add(past, update: .error)
        for token in Array(session.tokens) { try tx.delete(token) }
        try tx.delete(session)
      }
      return sessions.count
    }
  }

  /// Deletes the tokens that have expired.
  ///
  /// - Returns: their number.
  func sweepTokens(at now: Date = Date()) async throws -> Int {
    try await write { tx in
      let expired = Array(tx.objects(Token.self).where { $0.expiresAt <= now })
      for token in expired { try tx.delete(token) }
      return expired.count
    }
  }
}
