import Fief
import Foundation

// The classes of version 3, frozen.
extension AuthVersion3 {
  package final class User: Object {
    package enum Role: String, PersistableEnum { case customer, staff, administrator }

    @Persisted(primaryKey: true) package var id: UUID
    @Persisted(indexed: true) package var email: String
    @Persisted package var name: String
    @Persisted package var role = Role.customer
    @Persisted package var registeredAt: Date
    @Persisted package var lastSeenAt: Date?
    @Persisted(originProperty: "user") package var sessions: LinkingObjects<Session>
    @Persisted(originProperty: "user") package var pastSessions: LinkingObjects<PastSession>
    @Persisted(originProperty: "owner") package var devices: LinkingObjects<Device>
  }

  package final class Device: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted package var name: String
    @Persisted package var owner: User?
    @Persisted(originProperty: "device") package var sessions: LinkingObjects<Session>
  }

  package final class Session: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted package var user: User?
    @Persisted package var device: Device?
    @Persisted(indexed: true) package var startedAt: Date
    @Persisted package var tokens: List<Token>
  }

  package final class PastSession: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted package var user: User?
    @Persisted package var device: Device?
    @Persisted(indexed: true) package var startedAt: Date
    @Persisted package var endedAt: Date?
  }

  package final class Token: Object {
    @Persisted(primaryKey: true) package var id: UUID
    @Persisted(indexed: true) package var expiresAt: Date
    @Persisted package var scopes: MutableSet<String>
  }
}
