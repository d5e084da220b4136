import LMDB

/// The plan for reading the objects of a collection.
private struct MemberPlan {
  let source: MemberSource
  let search: PlanSearch
  /// The number of elements.
  let count: Int
  /// The restriction by indexes if evaluating it first is cheaper; otherwise `nil`.
  let restriction: Restriction?
  /// Whether the indexes prove that there are no rows.
  let isEmpty: Bool
}

extension QueryPlanner {
  /// Returns the access path to the objects of a collection.
  ///
  /// - Throws: ``FiefError`` if the query is not supported.
  func memberAccess(_ members: QueryMembers, _ description: QueryDescription) throws -> QueryAccess {
    let condition = try description.condition.map(binder.condition)
    if binder.table.records == nil { return try embeddedAccess(members, description, condition) }
    guard let plan = try memberPlan(members, description, condition), !plan.isEmpty else {
      return QueryAccess.nothing(of: binder.table)
    }
    let source = plan.source
    let isUnsorted = purpose != .rows || description.order.isEmpty
    // A large set orders its elements by the part of their keys that its entries contain. Bounds of distinct
    // rows are compared with whole keys.
    let isByKey = source.hasPlaces || description.distinct.isEmpty || !plan.search.keysMayBeCut
    let isInOrder = isUnsorted && isByKey
    let bounds = [description.start, description.end].compactMap(\.self)
    let appliesBounds = isInOrder && description.order.isEmpty && bounds.allSatisfy { $0.key != nil }
    let isBackward = isInOrder && plan.search.isLast && source.type.container == .list
    let access = MemberAccess(
      table: binder.table,
      source: source,
      filter: plan.restriction?.source,
      isBackward: isBackward,
      condition: try rest(plan, condition),
      wholeCondition: condition?.constant == true ? nil : condition,
      bounds: appliesBounds ? MemberBounds(start: description.start, end: description.end) : .none
    )
    access.isOrdered = isInOrder && !isBackward
    access.isReversed = isBackward
    access.appliesBounds = appliesBounds
    return access
  }

  private func embeddedAccess(
    _ members: QueryMembers,
    _ description: QueryDescription,
    _ condition: RowCondition?
  ) throws -> QueryAccess {
    let source = try MemberSource(members, binder)
    try refuseRelevance(description)
    let access = EmbeddedAccess(table: binder.table, source: source, condition: condition)
    access.isOrdered = description.order.isEmpty
    return access
  }

  private func refuseRelevance(_ description: QueryDescription) throws {
    if description.order.contains(where: { $0.key == .relevance }) {
      throw binder.invalid("The objects of a collection have no order by relevance.")
    }
  }

  private func rest(_ plan: MemberPlan, _ condition: RowCondition?) throws -> RowCondition? {
    let candidate = PlanCandidate(
      path: .nothing,
      answered: plan.restriction?.answered ?? 0,
      estimate: 0,
      isInOrder: true,
      cost: 0
    )
    return try rest(candidate, plan.search, condition)
  }

  /// - Returns: `nil` if no row can meet the condition.
  private func memberPlan(
    _ members: QueryMembers,
    _ description: QueryDescription,
    _ condition: RowCondition?
  ) throws -> MemberPlan? {
    let source = try MemberSource(members, binder)
    try refuseRelevance(description)
    for order in description.order { _ = try binder.part(order, isOrder: true) }
    guard let records = binder.table.records, condition?.constant != false else { return nil }
    var asked = QueryDescription()
    asked.condition = description.condition
    if description.order.isEmpty {
      asked.limit = description.limit
      asked.offset = description.offset
    }
    let search = try PlanSearch(asked, binder, transaction, records: records, purpose: purpose)
    let count = try source.count(binder.tables, in: transaction)
    let matches = try search.matches()
    let isEmpty = matches.contains(where: \.ranges.isEmpty)
    let restrictions = isEmpty ? [] : try search.restrictions(matches)
    search.known = restrictions
    let best = search.bestRestriction(of: restrictions)
    let isCheaper = best.map { search.cost(of: count, with: $0) < search.cost(of: count) } ?? false
    return MemberPlan(
      source: source,
      search: search,
      count: count,
      restriction: isCheaper ? best : nil,
      isEmpty: isEmpty
    )
  }

  func explain(_ members: QueryMembers, _ description: QueryDescription) throws -> QueryPlan {
    let condition = try description.condition.map(binder.condition)
    var result = QueryPlan(type: binder.table.name)
    guard let records = binder.table.records else { return result }
    result.totalRows = try transaction.statedCount(records)
    guard let plan = try memberPlan(members, description, condition), !plan.isEmpty else { return result }
    let access = try memberAccess(members, description)
    result.estimatedRows = plan.count
    result.isBackward = access.isReversed
    result.appliesBounds = access.appliesBounds && (description.start != nil || description.end != nil)
    if !access.isOrdered, !access.isReversed {
      result.order =
        switch description.limit {
        case .first(let count)?, .last(let count)?:
          .sortedKeeping(count.addingReportingOverflow(description.offset).partialValue)
        case nil: .sorted
        }
    }
    let elements = QueryPlan.Access.elements(
      members.path.joined(separator: "."),
      of: members.type,
      key: members.key.description
    )
    result.access = elements
    let answered = plan.restriction?.answered ?? 0
    if let restriction = plan.restriction {
      result.access = .intersection([Self.access(restriction.source), elements])
      result.estimatedRows += restriction.entries
    }
    let rest = plan.search.conjuncts.enumerated().filter { answered & (1 << UInt64($0.offset)) == 0 }
      .map(\.element.condition)
    if !rest.isEmpty, condition?.constant == nil {
      result.condition = QueryPrinter.text(of: rest.count == 1 ? rest[0] : .all(rest))
    }
    result.isIndexOnly =
      purpose == .count && rest.isEmpty && (plan.restriction != nil || !plan.source.mayHaveGaps)
    return result
  }
}

extension PlanSearch {
  /// The cost of reading an element of a collection.
  static let element = 0.5
  /// The cost of looking up a key in the list of keys that an index search found.
  static let holding = 1.0

  fileprivate var keysMayBeCut: Bool { PlannedTree(keysOf: table, records: records).mayCutKeys }

  /// Returns the cost of looking up each object of a collection.
  fileprivate func cost(of count: Int) -> Double {
    let rows = visited(count, unanswered: allConjuncts)
    return rows * (Self.element + lookUp) + checking(rows, unanswered: allConjuncts)
  }

  /// Returns the cost if indexes restrict the objects beforehand.
  fileprivate func cost(of count: Int, with restriction: Restriction) -> Double {
    let share = total > 0 ? min(Double(restriction.estimate) / Double(total), 1) : 1
    let rows = visited(Int(Double(count) * share), unanswered: ~restriction.used)
    let isCounted = purpose == .count && restriction.answered == allConjuncts
    return Double(restriction.entries) * Self.entry + Double(restriction.estimate) * Self.collecting
      + Double(count) * (Self.element + Self.holding)
      + (isCounted ? 0 : rows * lookUp + checking(rows, unanswered: ~restriction.answered))
  }
}
