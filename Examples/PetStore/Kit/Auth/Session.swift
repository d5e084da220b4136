import Fief
import Foundation

/// A person who is signed in on a device.
final class Session: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var user: User?
  @Persisted var device: Device?
  @Persisted(indexed: true) var startedAt: Date
  /// The tokens that were issued to this session, the newest last.
  @Persisted var tokens: List<Token>
}

/// A session that is over. It has no tokens, and nothing can be done with it.
final class PastSession: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var user: User?
  @Persisted var device: Device?
  @Persisted(indexed: true) var startedAt: Date
  /// The time at which the person signed out; nil where that is not known.
  @Persisted var endedAt: Date?
}
