import Fief
import Foundation

/// A device that a user signs in with. The phones of two people are two devices.
final class Device: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name: String
  @Persisted var owner: User?
  /// The sessions of the device: the other side of ``Session/device``.
  @Persisted(originProperty: "device") var sessions: LinkingObjects<Session>
}
