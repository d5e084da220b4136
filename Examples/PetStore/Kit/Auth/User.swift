import Fief
import Foundation

/// A person with an account.
final class User: Object {
  /// The rights of an account.
  enum Role: String, PersistableEnum {
    case customer
    case staff
    case administrator
  }

  @Persisted(primaryKey: true) var id: UUID
  /// The address in lower case. It has no index, whose keys would be in clear in an encrypted store.
  @Persisted var email: String
  @Persisted var name: String
  @Persisted var role = Role.customer
  @Persisted var registeredAt: Date
  /// The time at which the account last signed in.
  @Persisted var lastSeenAt: Date?
  /// Every session that goes on: the other side of ``Session/user``.
  @Persisted(originProperty: "user") var sessions: LinkingObjects<Session>
  /// The sessions that are over: the other side of ``PastSession/user``.
  @Persisted(originProperty: "user") var pastSessions: LinkingObjects<PastSession>
  /// The devices that the person signs in with: the other side of ``Device/owner``.
  @Persisted(originProperty: "owner") var devices: LinkingObjects<Device>
}
