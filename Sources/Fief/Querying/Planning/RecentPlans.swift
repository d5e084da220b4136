import Synchronization

/// The way that was chosen for a query, and what it takes to apply it to other bounds.
struct RecentPlan {
  let search: PlanSearch
  let candidate: PlanCandidate
  /// The number of the commit that was looked at; 0 for what is not kept.
  let snapshot: UInt64
}

/// The plans of the last queries, for the next pages of the same ones.
///
/// A plan depends on the schema, the description without its bounds, and the data: it is used for the same
/// snapshot only, so that it is what planning would find again. Whoever takes one has it alone.
final class RecentPlans: Sendable {
  // SAFETY: a plan is in the list or with the one query that took it, never both.
  private struct Kept: @unchecked Sendable {
    var plans: [RecentPlan] = []
  }

  private let kept = Mutex(Kept())
  private static let most = 8

  /// Takes the plan of a query out.
  func take(_ description: QueryDescription, of table: Table, in snapshot: UInt64) -> RecentPlan? {
    guard snapshot != 0 else { return nil }
    return kept.withLock { kept in
      let index = kept.plans.lastIndex {
        $0.snapshot == snapshot && $0.search.table === table
          && $0.search.description.isSame(butForBounds: description)
      }
      return index.map { kept.plans.remove(at: $0) }
    }
  }

  /// Keeps a plan for later, in place of the oldest one where there are many, and of those of other snapshots.
  func put(_ plan: RecentPlan) {
    guard plan.snapshot != 0 else { return }
    plan.search.rest()
    let kept = Kept(plans: [plan])
    self.kept.withLock { all in
      all.plans.removeAll { $0.snapshot != plan.snapshot }
      if all.plans.count >= Self.most { all.plans.removeFirst() }
      all.plans += kept.plans
    }
  }
}

extension QueryDescription {
  /// Whether it is the same query, maybe between other bounds.
  fileprivate func isSame(butForBounds other: QueryDescription) -> Bool {
    limit == other.limit && offset == other.offset && order == other.order && distinct == other.distinct
      && condition == other.condition
  }
}
