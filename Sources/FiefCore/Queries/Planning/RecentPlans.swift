import LMDB

/// The plan that was chosen for a query, with the parts that can be reused for other bounds.
// SAFETY: a plan is either in the list of recent plans or owned by the one query that took it, never both.
final class RecentPlan: @unchecked Sendable {
  let search: PlanSearch
  let candidate: PlanCandidate
  /// The condition of the query, and the part that must be checked on rows.
  let condition: RowCondition?
  let rest: RowCondition?
  /// The number of the commit whose snapshot was read, or 0 if the plan is not kept.
  let snapshot: UInt64
  /// The orders by which rows are sorted and made distinct, or `nil` before a query has bound them.
  var orders: (order: RowOrder, distinct: RowOrder?)?
  /// The walk that finds the next pages, or `nil` if no walk has found a page yet or pages must be prepared.
  // Only the owner of the plan assigns and reads it, so accesses cannot overlap.
  @exclusivity(unchecked) var walk: PageWalk?
  fileprivate let shape: QueryShape
  fileprivate let limit: QueryDescription.Limit?
  fileprivate let offset: Int

  init(
    _ search: PlanSearch,
    _ candidate: PlanCandidate,
    condition: RowCondition?,
    rest: RowCondition?,
    snapshot: UInt64
  ) {
    self.search = search
    self.candidate = candidate
    self.condition = condition
    self.rest = rest
    self.snapshot = snapshot
    shape = search.description.shape
    limit = search.description.limit
    offset = search.description.offset
  }

  /// Whether bounds shorten the plan's walk. If they exclude most rows, such a path is better than a path
  /// that reads all rows.
  private var canBeBounded: Bool {
    switch candidate.path {
    case .nothing, .walk: true
    case .records(_, let order): order != nil
    case .keys: candidate.isInOrder
    }
  }

  /// Whether the plan belongs to a query. The bounds may differ.
  fileprivate func isOf(_ description: QueryDescription) -> Bool {
    limit == description.limit && offset == description.offset && shape == description.shape
      && (canBeBounded || (description.start == nil && description.end == nil))
  }
}

/// The plans of the most recent queries, for further pages of the same queries.
///
/// A plan depends on the schema, on the description without its bounds, and on the data. It is used only in
/// the same snapshot, in which planning would give the same plan. A run removes its plan from the list,
/// because the plan's conditions and orders can be used by only one run at a time.
package final class RecentPlans: Sendable {
  private let plans = OwnedLock<[RecentPlan]>([])
  private static let most = 16

  /// Removes and returns the plan of a query.
  func take(_ description: QueryDescription, of table: Table, in snapshot: UInt64) -> RecentPlan? {
    guard snapshot != 0 else { return nil }
    return plans.withLock { plans in
      let index = plans.lastIndex {
        $0.snapshot == snapshot && $0.search.table === table && $0.isOf(description)
      }
      return index.map { plans.remove(at: $0) }
    }
  }

  /// Removes and returns a plan that has a walk for the pages of a query. The caller checks that the plan
  /// belongs to the current snapshot.
  ///
  /// - Parameter limit: the limit of the query, in rows.
  func takeWalk(of shape: QueryShape, _ table: Table, limit: Int) -> RecentPlan? {
    plans.withLock { plans in
      let index = plans.lastIndex {
        $0.walk != nil && $0.search.table === table && $0.limit == .first(limit) && $0.shape == shape
      }
      return index.map { plans.remove(at: $0) }
    }
  }

  /// Caches a plan. Drops the oldest plan if there are too many, and the plans of other snapshots.
  func put(_ plan: RecentPlan) {
    guard plan.snapshot != 0 else { return }
    plans.withLock { plans in
      if let last = plans.last, last.snapshot != plan.snapshot {
        // A query that has run for a long time returns a plan of an older snapshot.
        if plan.snapshot < last.snapshot, plan.search.binder.tables === last.search.binder.tables { return }
        plans.removeAll()
      }
      if plans.count >= Self.most { plans.removeFirst() }
      plans.append(plan)
    }
  }
}
