import Fief
import Foundation

/// How often an advertisement was shown and clicked, until its campaign ends.
final class AdCounter: Object {
  @Persisted(primaryKey: true) var slot: String
  @Persisted var impressions = 0
  @Persisted var clicks = 0
  @Persisted(indexed: true) var expiresAt: Date
}
