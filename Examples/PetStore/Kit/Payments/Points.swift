import Fief
import Foundation

/// The points of a customer.
final class PointsCard: Object {
  @Persisted(primaryKey: true) var userID: UUID
  @Persisted var points = 0
  /// When the points last changed.
  @Persisted var changedAt: Date?
}

/// One change of a customer's points.
final class PointTransaction: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var userID: UUID
  /// What was added; negative where points were redeemed.
  @Persisted var points = 0
  /// `order 17`, or what the points were redeemed for.
  @Persisted var reason: String
  @Persisted var at: Date?
}
