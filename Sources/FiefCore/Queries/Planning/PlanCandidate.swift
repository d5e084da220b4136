import LMDB

/// One access path to the rows of a query.
struct PlanCandidate {
  enum Path {
    /// There are no rows.
    case nothing
    /// The records in ascending or descending key order.
    ///
    /// - Parameter order: the order of the walk, or `nil` if it is not the order of the query.
    case records(TreeMatch, order: WalkOrder?)
    case walk(TreeMatch, WalkOrder)
    case keys(KeySource, isBackward: Bool)
  }

  var path: Path
  /// The conjuncts that are already fulfilled, so that records need not be checked, one bit each.
  var answered: UInt64
  /// The estimated number of entries or records to read.
  var estimate: Int
  /// Whether the rows come in the order of the description, or in reverse if the last rows are wanted.
  var isInOrder: Bool
  var cost: Double
}

extension PlanSearch {
  func matches() throws -> [TreeMatch] {
    var matches = try trees.map { try match($0) }
    if conjuncts.contains(where: { $0.subject == .object }), let objects = matchOfObjects() {
      matches.append(objects)
    }
    return matches
  }

  /// Returns all candidates. The first is a scan of all records, unless the conditions exclude all rows.
  func candidates() throws -> [PlanCandidate] {
    let matches = try matches()
    if matches.contains(where: \.ranges.isEmpty) {
      return [PlanCandidate(path: .nothing, answered: allConjuncts, estimate: 0, isInOrder: true, cost: 0)]
    }
    let restrictions = try restrictions(matches)
    known = restrictions
    var candidates = [try scan()]
    for match in matches {
      let order = try walkOrder(match)
      if match.tree.isRecords {
        if match.isRestricted { candidates.append(try records(match, order)) }
      } else if let order, match.isRestricted || order.isByValue {
        candidates.append(try walk(match, order))
      } else if purpose != .rows, match.isRestricted {
        candidates.append(try walk(match, .keys(isBackward: false)))
      }
    }
    for restriction in restrictions { candidates.append(keys(restriction)) }
    if restrictions.count > 1, let best = bestRestriction(of: restrictions),
      case .intersection = best.source
    {
      candidates.append(keys(best))
    }
    return candidates
  }

  /// Whether the description's order is the order of the keys.
  private var isKeyOrder: Bool { order?.keys.isEmpty ?? false }
  /// Whether the order of the query requires the keys in descending order.
  private var isBackward: Bool { isKeyOrder && (order?.tiesAscend == false) != isLast }

  private func scan() throws -> PlanCandidate {
    let match = TreeMatch(tree: PlannedTree(keysOf: table, records: records), ranges: [.all])
    let order: WalkOrder? = isKeyOrder ? .keys(isBackward: isBackward) : nil
    let left = try bounded(total, match, order)
    let rows = isKeyOrder ? visited(left, unanswered: allConjuncts) : Double(total)
    noteBounds(left < total && rows < visited(total, unanswered: allConjuncts))
    let isCounted = isForCount && isKeyOrder && conjuncts.isEmpty && wanted == nil
    return PlanCandidate(
      path: .records(match, order: order),
      answered: 0,
      estimate: left,
      isInOrder: isKeyOrder,
      cost: (isCounted ? 1 : rows) + (isKeyOrder ? 0 : sortCost)
    )
  }

  private func records(_ match: TreeMatch, _ order: WalkOrder?) throws -> PlanCandidate {
    // An order that includes all columns of the key has no ties.
    let isWhole = order.map { $0.groupColumns == match.tree.columns.count } ?? false
    let order = order.flatMap { $0.isPlain || isWhole ? $0 : nil }
    let left = try bounded(match.estimate, match, order)
    let rows = order == nil ? Double(match.estimate) : visited(left, unanswered: ~match.used)
    noteBounds(left < match.estimate && rows < visited(match.estimate, unanswered: ~match.used))
    let isCounted =
      isForCount && order != nil && match.answered == allConjuncts && wanted == nil
    return PlanCandidate(
      path: .records(match, order: order),
      answered: match.answered,
      estimate: left,
      isInOrder: order != nil,
      cost: (isCounted ? 0 : rows) + Double(match.ranges.count) + (order == nil ? sortCost : 0)
    )
  }

  private func walk(_ match: TreeMatch, _ order: WalkOrder) throws -> PlanCandidate {
    let all = entries(match)
    let entries = try bounded(all, match, order)
    let rows = visited(entries, unanswered: ~match.used)
    noteBounds(entries < all && rows < visited(all, unanswered: ~match.used))
    // Rows between bounds can be counted without reading them, unless a bound is inside a group.
    let isCounted =
      isForCount && match.answered == allConjuncts && match.filters.isEmpty
      && (purpose == .count || (order.isPlain && wanted == nil))
    let reading =
      rows * (Self.entry + (match.isInKeyOrder ? sortedLookUp : lookUp))
      + checking(rows, unanswered: ~match.answered)
    return PlanCandidate(
      path: .walk(match, order),
      answered: match.answered,
      estimate: entries,
      isInOrder: true,
      cost: isCounted ? min(Double(match.ranges.count), reading) : reading
    )
  }

  private func noteBounds(_ areFewer: Bool) { if areFewer { dependsOnBounds = true } }

  private func keys(_ restriction: Restriction) -> PlanCandidate {
    PlanCandidate(
      path: .keys(restriction.source, isBackward: isBackward),
      answered: restriction.answered,
      estimate: restriction.entries,
      isInOrder: isKeyOrder,
      cost: cost(restriction) + (isKeyOrder ? 0 : sortCost)
    )
  }
}
