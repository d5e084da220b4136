/// The walk along an index that found a page of a query. For the next page, only the start of the walk
/// changes.
///
/// It belongs to a plan and, like the plan, is used by one run at a time.
final class PageWalk {
  let access: IndexWalk
  let order: RowOrder
  private let match: TreeMatch
  private let walkOrder: WalkOrder
  /// The ranges of the walk without bounds.
  private let whole: [ByteRange]

  /// Returns `nil` if the plan is not a walk along an index in the order of its entries.
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

  /// Returns the ranges after a position, or `nil` if the tree cannot express them.
  func ranges(after cursor: QueryCursor?, _ search: PlanSearch) throws -> [ByteRange]? {
    guard let cursor else { return whole }
    let start = QueryBound(values: cursor.values, key: cursor.key, isInclusive: false)
    guard let bounds = try search.bounds(whole, match, walkOrder, start: start, end: nil),
      bounds.groups.isEmpty
    else { return nil }
    return bounds.ranges
  }
}
