import Fief
import Foundation

/// A person with an account.
final class User: Object {
  /// What an account may do.
  enum Role: String, PersistableEnum {
    case customer
    case keeper
    case administrator
  }

  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var email: String
  @Persisted var name: String
  @Persisted var role = Role.customer
  @Persisted var createdAt: Date
  /// Every session of the account: the other side of ``Session/user``.
  @Persisted(originProperty: "user") var sessions: LinkingObjects<Session>
}
