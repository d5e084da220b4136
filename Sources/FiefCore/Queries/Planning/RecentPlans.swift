import LMDB

/// The plan that was chosen for a query, and its parts for other bounds.
// SAFETY: a plan is in the list of the recent ones or with the one query that took it, never both.
final class RecentPlan: @unchecked Sendable {
  let search: PlanSearch
  let candidate: PlanCandidate
  /// The condition of the query, and the part of it to be checked on rows.
  let condition: RowCondition?
  let rest: RowCondition?
  /// The number of the commit whose state was read; 0 for a plan that is not kept.
  let snapshot: UInt64
  /// The orders by which rows are sorted and made distinct; nil until a query has bound them.
  var orders: (order: RowOrder, distinct: RowOrder?)?
  /// The walk that finds the next pages; nil until a page has been found by it, and where pages have to be prepared.
  // The one who took the plan assigns and reads it: no access can overlap.
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

  /// Whether bounds shorten its walk. Where they leave few rows, such a path beats one that reads all rows.
  private var canBeBounded: Bool {
    switch candidate.path {
    case .nothing, .walk: true
    case .records(_, let order): order != nil
    case .keys: candidate.isInOrder
    }
  }

  /// Whether it is of a query, maybe between other bounds.
  fileprivate func isOf(_ description: QueryDescription) -> Bool {
    limit == description.limit && offset == description.offset && shape == description.shape
      && (canBeBounded || (description.start == nil && description.end == nil))
  }
}

/// The plans of the last queries, for the next pages of the same ones.
///
/// A plan depends on the schema, the description without its bounds, and the data: it is used for the same
/// snapshot only, so that planning would find the same one. A plan is removed from the list for a run, since
/// its conditions and orders belong to one run at a time.
package final class RecentPlans: Sendable {
  private let plans = OwnedLock<[RecentPlan]>([])
  private static let most = 16

  /// Takes the plan of a query out.
  func take(_ description: QueryDescription, of table: Table, in snapshot: UInt64) -> RecentPlan? {
    guard snapshot != 0 else { return nil }
    return plans.withLock { plans in
      let index = plans.lastIndex {
        $0.snapshot == snapshot && $0.search.table === table && $0.isOf(description)
      }
      return index.map { plans.remove(at: $0) }
    }
  }

  /// Removes and returns a plan of a query with a walk for its pages; the caller checks that it belongs to
  /// the current state.
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

  /// Keeps a plan for later, in place of the oldest one where there are many, and of those of other snapshots.
  func put(_ plan: RecentPlan) {
    guard plan.snapshot != 0 else { return }
    plans.withLock { plans in
      if let last = plans.last, last.snapshot != plan.snapshot {
        // A query that ran for long returns a plan of an older snapshot.
        if plan.snapshot < last.snapshot, plan.search.binder.tables === last.search.binder.tables { return }
        plans.removeAll()
      }
      if plans.count >= Self.most { plans.removeFirst() }
      plans.append(plan)
    }
  }
}
