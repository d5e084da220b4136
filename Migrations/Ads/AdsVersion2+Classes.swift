import Fief
import Foundation

// The classes of version 2, frozen.
extension AdsVersion2 {
  package final class AdCounter: Object {
    @Persisted(primaryKey: true) package var slot: String
    @Persisted package var market: String
    @Persisted package var place: String
    @Persisted package var impressions = 0
    @Persisted package var clicks = 0
    @Persisted(indexed: true) package var endsAt: Date
  }
}
