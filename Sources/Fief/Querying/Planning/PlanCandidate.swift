import LMDB

/// One way to reach the rows of a query.
struct PlanCandidate {
  enum Path {
    /// There are no rows.
    case nothing
    /// Records, in the order of their keys or in its opposite.
    ///
    /// - Parameter order: nil where the order is another one.
    case records(TreeMatch, order: WalkOrder?)
    case walk(TreeMatch, WalkOrder)
    case keys(KeySource, isBackward: Bool)
  }

  var path: Path
  /// The conjuncts that do not have to be checked on records, one bit each.
  var answered: UInt64
  /// The entries or records that are looked at, about.
  var estimate: Int
  /// Whether the rows come in the order of the description, or for the last ones in its opposite.
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

  /// Every way there is; the first is a scan of all records.
  func candidates() throws -> [PlanCandidate] {
    let matches = try matches()
    if matches.contains(where: \.ranges.isEmpty) {
      return [PlanCandidate(path: .nothing, answered: allConjuncts, estimate: 0, isInOrder: true, cost: 0)]
    }
    let restrictions = try restrictions(matches)
    known = restrictions
    var candidates = [scan()]
    for match in matches {
      let order = try walkOrder(match)
      if match.tree.isRecords {
        if match.isRestricted { candidates.append(records(match, order)) }
      } else if let order, match.isRestricted || order.isByValue {
        candidates.append(walk(match, order))
      } else if purpose != .rows, match.isRestricted {
        candidates.append(walk(match, .keys(isBackward: false)))
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

  /// Whether the description's order is that of the keys.
  private var isKeyOrder: Bool { order?.keys.isEmpty ?? false }
  /// The direction of the keys that is asked for.
  private var isBackward: Bool { isKeyOrder && (order?.tiesAscend == false) != isLast }

  private func scan() -> PlanCandidate {
    let rows = isKeyOrder ? visited(total, unanswered: allConjuncts) : Double(total)
    return PlanCandidate(
      path: .records(
        TreeMatch(tree: PlannedTree(keysOf: table, records: records), ranges: [.all]),
        order: isKeyOrder ? .keys(isBackward: isBackward) : nil
      ),
      answered: 0,
      estimate: total,
      isInOrder: isKeyOrder,
      cost: rows + (isKeyOrder ? 0 : sortCost)
    )
  }

  private func records(_ match: TreeMatch, _ order: WalkOrder?) -> PlanCandidate {
    // Where all columns of the key are in the order, there are no ties.
    let isWhole = order.map { $0.groupColumns == match.tree.columns.count } ?? false
    let order = order.flatMap { $0.isPlain || isWhole ? $0 : nil }
    let rows =
      order == nil ? Double(match.estimate) : visited(match.estimate, unanswered: ~match.used)
    return PlanCandidate(
      path: .records(match, order: order),
      answered: match.answered,
      estimate: match.estimate,
      isInOrder: order != nil,
      cost: rows + Double(match.ranges.count) + (order == nil ? sortCost : 0)
    )
  }

  private func walk(_ match: TreeMatch, _ order: WalkOrder) -> PlanCandidate {
    let entries = entries(match)
    let rows = visited(entries, unanswered: ~match.used)
    let isCounted = purpose == .count && match.answered == allConjuncts && match.filters.isEmpty
    return PlanCandidate(
      path: .walk(match, order),
      answered: match.answered,
      estimate: entries,
      isInOrder: true,
      cost: isCounted
        ? Double(match.ranges.count)
        : rows * (Self.entry + (match.isInKeyOrder ? sortedLookUp : lookUp))
          + checking(rows, unanswered: ~match.answered)
    )
  }

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
