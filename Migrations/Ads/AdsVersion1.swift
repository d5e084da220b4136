import Fief
import Foundation

/// The store of advertisement counters as it was first: its class, frozen.
///
/// No plan lists it, since the first step begins with it.
package enum AdsVersion1: MigrationStep {
  package static let version: UInt64 = 1
  package static let name = "counters"
  package static let description = "What the store of advertisements began with."
  package static var objectTypes: [Object.Type]? { [AdCounter.self] }

  package final class AdCounter: Object {
    @Persisted(primaryKey: true) package var slot: String
    @Persisted package var impressions = 0
    @Persisted package var clicks = 0
    @Persisted(indexed: true) package var expiresAt: Date
  }
}
