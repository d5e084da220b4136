import Fief
import Foundation

/// What a user signs in with. The phones of two people are two devices.
final class Device: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name: String
  @Persisted var owner: User?
  /// Where it is signed in: the other side of ``Session/device``.
  @Persisted(originProperty: "device") var sessions: LinkingObjects<Session>
}
