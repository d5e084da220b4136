/// The way along an index that a page of a query went: of the next page only the beginning is left to be found.
///
/// It belongs to a plan, and is used as that is, by one run at a time.
final class PageWalk {
  let access: IndexWalk
  let order: RowOrder
  private let match: TreeMatch
  private let walkOrder: WalkOrder
  /// What the walk goes along where nothing bounds it.
  private let whole: [ByteRange]

  /// Nil where rows are reached otherwise, or in an order that is not that of the entries.
  init?(_ candidate: PlanCandidate, _ search: PlanSearch, _ access: QueryAccess, _ order: RowOrder) {
    guard case .walk(let match, let walkOrder) = candidate.path, access.appliesBounds,
      let walk = access as? IndexWalk, walk.groups.isEmpty, walk.goesAtOnce
    else { return nil }
    self.access = walk
    self.order = order
    self.match = match
    self.walkOrder = walkOrder
    whole = search.ranges(match, walkOrder)
  }

  /// The ranges behind a place; nil where the tree does not tell which they are.
  func ranges(after cursor: QueryCursor?, _ search: PlanSearch) throws -> [ByteRange]? {
    guard let cursor else { return whole }
    let start = QueryBound(values: cursor.values, key: cursor.key, isInclusive: false)
    guard let bounds = try search.bounds(whole, match, walkOrder, start: start, end: nil),
      bounds.groups.isEmpty
    else { return nil }
    return bounds.ranges
  }
}

extension StoreCore {
  /// The first page behind a place, along the way that one of the same query went in the same state.
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - shape: what is asked for; nothing else bounds it.
  ///   - size: how many objects.
  ///   - cursor: the place; nil for the first page.
  ///   - context: that of the results, which are those of no scope.
  /// - Returns: nil where the page has to be planned, or is refused.
  func nextPage(
    of type: ObjectBase.Type,
    _ shape: QueryShape,
    size: Int,
    after cursor: QueryCursor?,
    _ context: ObjectContext
  ) throws -> FoundPage? {
    let fingerprint = shape.fingerprint(of: type, storeID: storeID)
    if let cursor {
      guard cursor.fingerprint == fingerprint, cursor.values.count == shape.order.count else { return nil }
    }
    let binding = try binding(of: type)
    guard let plan = recentPlans.takeWalk(of: shape, binding.table, limit: size + 1) else { return nil }
    let page: FoundPage? = try read { transaction in
      guard let walk = plan.walk, plan.snapshot == transaction.id else { return nil }
      let running = QueryRunning(binding, self, transaction, context)
      running.notePass()
      return try running.page(along: walk, plan.search, size: size, after: cursor, fingerprint)
    }
    recentPlans.put(plan)
    return page
  }
}
