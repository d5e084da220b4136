import Fief
import Foundation

/// A device on which a person is signed in.
final class Session: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var user: User?
  @Persisted var device: String
  @Persisted var startedAt: Date
  /// The tokens that were issued to this session, the newest last.
  @Persisted var tokens: List<Token>
}
