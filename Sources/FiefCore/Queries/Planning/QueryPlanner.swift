import LMDB

/// The purpose for which the rows of a query are read.
package enum QueryPurpose {
  /// All rows, in their order.
  case rows
  /// All rows, in any order.
  case anyOrder
  /// The number of rows.
  case count
}

/// Chooses the access path to the rows of a query.
package struct QueryPlanner {
  package let binder: QueryBinder
  package let transaction: LMDB.Transaction
  var purpose = QueryPurpose.rows
  /// The cached plans of earlier queries.
  var recent: RecentPlans?
  /// The intermediate results for the same description and purpose, if any.
  var begun: PartialPlan?

  package init(
    binder: QueryBinder,
    transaction: LMDB.Transaction,
    purpose: QueryPurpose = QueryPurpose.rows,
    recent: RecentPlans? = nil,
    begun: PartialPlan? = nil
  ) {
    self.binder = binder
    self.transaction = transaction
    self.purpose = purpose
    self.recent = recent
    self.begun = begun
  }

  /// - Returns: the access path, and its plan if there were alternatives.
  /// - Throws: ``FiefError`` if the query is not supported.
  func plan(_ description: QueryDescription) throws -> (access: QueryAccess, plan: RecentPlan?) {
    if let members = description.members { return (try memberAccess(members, description), nil) }
    if let plan = recentPlan(description) {
      plan.search.resume(description, binder, transaction)
      return (try access(plan), plan)
    }
    let condition = try begun.map(\.condition) ?? description.condition.map(binder.condition)
    // This check comes first, so that a query with an invalid combination fails even if it has no rows.
    let isBounded = description.start != nil || description.end != nil
    let ranked = purpose == .rows || isBounded ? try rankedAccess(description, condition) : nil
    guard let records = binder.table.records, condition?.constant != false else {
      return (QueryAccess.nothing(of: binder.table), nil)
    }
    if let ranked { return (ranked, nil) }
    let plan = try newPlan(description, records, condition)
    return (try access(plan), plan)
  }

  private func recentPlan(_ description: QueryDescription) -> RecentPlan? {
    guard purpose == .rows, let recent, transaction is LMDB.ReadTransaction else { return nil }
    return recent.take(description, of: binder.table, in: transaction.id)
  }

  private func newPlan(
    _ description: QueryDescription,
    _ records: Database,
    _ condition: RowCondition?
  ) throws -> RecentPlan {
    let search =
      try begun?.search ?? PlanSearch(description, binder, transaction, records: records, purpose: purpose)
    let candidate = try begun?.candidate ?? Self.best(of: search.candidates())
    // The best plan for these bounds may be the worst for others.
    let isKept = purpose == .rows && transaction is LMDB.ReadTransaction && !search.dependsOnBounds
    return RecentPlan(
      search,
      candidate,
      condition: condition,
      rest: try rest(candidate, search, condition),
      snapshot: isKept ? transaction.id : 0
    )
  }

  private func access(_ plan: RecentPlan) throws -> QueryAccess {
    defer { plan.search.rest() }
    return try access(plan.candidate, plan.search, plan.condition, plan.rest)
  }

  static func best(of candidates: [PlanCandidate]) -> PlanCandidate {
    var best = candidates[0]
    for candidate in candidates.dropFirst() {
      let isEqual = candidate.cost == best.cost
      let answersMore = candidate.answered.nonzeroBitCount > best.answered.nonzeroBitCount
      if candidate.cost < best.cost || (isEqual && answersMore) { best = candidate }
    }
    return best
  }

  /// Returns the access path of a candidate.
  ///
  /// - Parameter whole: the whole condition of the query.
  func access(
    _ candidate: PlanCandidate,
    _ search: PlanSearch,
    _ whole: RowCondition?
  ) throws -> QueryAccess {
    try access(candidate, search, whole, try rest(candidate, search, whole))
  }

  private func access(
    _ candidate: PlanCandidate,
    _ search: PlanSearch,
    _ whole: RowCondition?,
    _ condition: RowCondition?
  ) throws -> QueryAccess {
    let table = binder.table
    let access: QueryAccess
    switch candidate.path {
    case .nothing: return QueryAccess.nothing(of: table)
    case .records(let match, let order):
      var ranges = match.ranges
      let bounds = try order.flatMap { try search.bounds(ranges, match, $0) }
      if let bounds { ranges = bounds.ranges }
      access = ScanAccess(
        table: table,
        ranges: ranges,
        isBackward: order?.isBackward ?? false,
        condition: condition
      )
      access.appliesBounds = bounds != nil
    case .walk(let match, let order):
      var source = match.source
      source.ranges = search.ranges(match, order)
      let bounds = try search.bounds(source.ranges, match, order)
      if let bounds { source.ranges = bounds.ranges }
      access = IndexWalk(
        table: table,
        source: source,
        order: order,
        condition: condition,
        groups: bounds?.groups ?? [],
        wanted: search.wanted
      )
      access.appliesBounds = bounds != nil
    case .keys(let source, let isBackward):
      let bounds = candidate.isInOrder ? try search.keyBounds(isBackward: isBackward) : nil
      access = KeySetAccess(
        table: table,
        source: source,
        isBackward: isBackward,
        condition: condition,
        wholeCondition: whole?.constant == true ? nil : whole,
        ranges: bounds ?? [.all]
      )
      access.appliesBounds = bounds != nil
    }
    access.isOrdered = candidate.isInOrder && !search.isLast
    access.isReversed = candidate.isInOrder && search.isLast
    return access
  }

  /// Returns the part of the condition that must still be checked on a candidate's rows.
  func rest(
    _ candidate: PlanCandidate,
    _ search: PlanSearch,
    _ whole: RowCondition?
  ) throws -> RowCondition? {
    guard let whole, whole.constant != true else { return nil }
    if candidate.answered == 0 { return whole }
    let rest = search.conjuncts.enumerated().filter { candidate.answered & (1 << UInt64($0.offset)) == 0 }
    if rest.isEmpty { return nil }
    let condition = try binder.condition(
      rest.count == 1 ? rest[0].element.condition : .all(rest.map(\.element.condition))
    )
    return condition.constant == true ? nil : condition
  }
}

extension QueryAccess {
  /// Returns the access path of a query without rows. It does not apply the bounds, so that later code
  /// rejects bounds that do not match the order.
  static func nothing(of table: Table) -> QueryAccess {
    let access = QueryAccess(table: table)
    access.isOrdered = true
    return access
  }
}
