import Fief
import Foundation

/// The store of accounts as it was first: its classes, frozen.
///
/// No plan lists it, since the first step begins with it.
package enum AuthVersion1: MigrationStep {
  package static let version: UInt64 = 1
  package static let name = "accounts, sessions and tokens"
  package static let description = "What the store of accounts began with."
  package static var objectTypes: [Object.Type]? { [User.self, Session.self, Token.self] }

  package final class User: Object {
    package enum Role: String, PersistableEnum { case customer, keeper, administrator }

    @Persisted(primaryKey: true) package var id: UUID
    @Persisted(indexed: true) package var email: String
    @Persisted package var name: String
    @Persisted package var role = Role.customer
    @Persisted package var createdAt: Date
    @Persisted(originProperty: "user") package var sessions: LinkingObjects<Session>
  }

  package final class Session: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted package var user: User?
    @Persisted package var device: String
    @Persisted package var startedAt: Date
    @Persisted package var tokens: List<Token>
  }

  package final class Token: Object {
    package enum Kind: String, PersistableEnum { case access, refresh }

    @Persisted(primaryKey: true) package var id: UUID
    @Persisted package var kind = Kind.access
    @Persisted(indexed: true) package var expiresAt: Date
    @Persisted package var scopes: MutableSet<String>
  }
}
