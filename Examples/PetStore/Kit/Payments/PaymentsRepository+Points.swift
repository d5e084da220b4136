import Fief
import Foundation

/// Points: orders earn them, and customers redeem them later.
extension PaymentsRepository {
  /// Adds points to a customer's card in a write that does more than that, with the transaction that says why.
  static func earn(_ points: Int, for reason: String, by userID: UUID, at now: Date, in tx: WriteTransaction)
    throws
  {
    try tx.merge(
      PointsCard.self,
      forPrimaryKey: userID,
      .increment(\.points, by: points),
      .timestamp(\.changedAt)
    )
    try tx.add(PointTransaction(points, for: reason, by: userID, at: now), update: .error)
  }

  /// Redeems points of a customer, if there are enough of them: the card and the transaction change, or neither.
  ///
  /// Nothing waits while `confirming` does. Where the card was changed in the meantime, by this process or another one, the
  /// points are looked at again, and `confirming` is called again: it asks, and the effect comes after the return.
  ///
  /// - Parameters:
  ///   - points: the number of points, 1 at least.
  ///   - reason: what they are redeemed for.
  ///   - userID: the key of the customer.
  ///   - maximumAttempts: how often the card is looked at, at most.
  ///   - confirming: gets the points that would be left, and throws where the customer shall keep them.
  /// - Returns: the points that are left.
  /// - Throws: ``ShopError/notEnoughPoints(available:needed:)`` and ``ShopError/invalidNumber(_:)``; the error of `confirming`;
  ///   `FiefError`, with the code `conflict` after the last attempt. Nothing is redeemed then.
  @discardableResult
  func redeem(
    _ points: Int,
    for reason: String,
    by userID: UUID,
    at now: Date = Date(),
    maximumAttempts: Int = 5,
    confirming: @Sendable (_ left: Int) async throws -> Void = { _ in }
  ) async throws -> Int {
    guard points > 0 else { throw ShopError.invalidNumber(points) }
    return try await runTransaction(maximumAttempts: maximumAttempts) { transaction in
      let available = try transaction.get(PointsCard.self, forPrimaryKey: userID)?.points ?? 0
      guard available >= points else {
        throw ShopError.notEnoughPoints(available: available, needed: points)
      }
      try await confirming(available - points)
      try transaction.update(
        PointsCard.self,
        forPrimaryKey: userID,
        .increment(\.points, by: -points),
        .timestamp(\.changedAt)
      )
      try transaction.set(PointTransaction(-points, for: reason, by: userID, at: now), update: .error)
      return available - points
    }
  }

  /// The points of a customer: what the transactions say, and what the card has.
  struct PointsAccount: Sendable, Equatable {
    var earned = 0
    /// The sum of the transactions that took points: 0 or less.
    var redeemed = 0
    /// The points on the card.
    var points = 0

    /// Whether the card has what the transactions add up to: it must.
    var isBalanced: Bool { earned + redeemed == points }
  }

  /// The points of all customers, by their keys, in one state of the store.
  func pointsAccounts() throws -> [UUID: PointsAccount] {
    try read { snapshot in
      var accounts: [UUID: PointsAccount] = [:]
      let changes = snapshot.objects(PointTransaction.self)
      for group in try changes.where({ $0.points > 0 }).grouped(by: \.userID).aggregate(.sum(\.points)) {
        accounts[group.key, default: PointsAccount()].earned = group.values
      }
      for group in try changes.where({ $0.points < 0 }).grouped(by: \.userID).aggregate(.sum(\.points)) {
        accounts[group.key, default: PointsAccount()].redeemed = group.values
      }
      for (userID, points) in try snapshot.objects(PointsCard.self).select(\.userID, \.points).all() {
        accounts[userID, default: PointsAccount()].points = points
      }
      return accounts
    }
  }
}

extension PointTransaction {
  /// One change of a customer's points, which is not stored yet.
  convenience init(_ points: Int, for reason: String, by userID: UUID, at now: Date) {
    self.init()
    self.points = points
    self.reason = reason
    self.userID = userID
    at = now
  }
}
