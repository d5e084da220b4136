import Fief
import Foundation

/// The number of times that an advertisement was shown and clicked in one place of one market, until its
/// campaign ends.
final class AdCounter: Object {
  @Persisted(primaryKey: true) var market: String
  @Persisted(primaryKey: true) var place: String
  @Persisted var impressions = 0
  @Persisted var clicks = 0
  /// The cost of the clicks, in the currency of the market.
  @Persisted var cost: Decimal
  @Persisted(indexed: true) var endsAt: Date
}
