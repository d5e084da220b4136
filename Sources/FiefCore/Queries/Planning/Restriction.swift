import LMDB

/// The keys of objects that may fulfil some conditions, from one tree or from several.
struct Restriction {
  var source: KeySource
  /// The estimated number of keys.
  var estimate: Int
  /// The estimated number of entries that a query reads to find the keys.
  var entries: Int
  /// The conjuncts that were used to find the keys, one bit each.
  var used: UInt64
  /// The conjuncts that all objects with these keys fulfil, one bit each.
  var answered: UInt64
}

extension PlanSearch {
  /// Returns a restriction for each tree that can answer conditions.
  func restrictions(_ matches: [TreeMatch]) throws -> [Restriction] {
    var result = matches.filter(\.isRestricted).map {
      Restriction(
        source: .ranges($0.source),
        estimate: $0.estimate,
        entries: $0.estimate,
        used: $0.used,
        answered: $0.answered
      )
    }
    for (index, conjunct) in conjuncts.enumerated() {
      let bit: UInt64 = 1 << UInt64(index)
      switch conjunct.condition {
      case .any(let branches) where conjunct.subject == .other:
        if let union = try union(branches, bit) { result.append(union) }
      default:
        guard let (path, request) = conjunct.condition.indexRequest,
          let found = try candidates(request, of: path, bit)
        else { continue }
        result.append(found)
      }
    }
    return result
  }

  /// Returns the restriction by several conditions of which at least one must hold, or `nil` if one of them
  /// does not restrict the keys.
  private func union(_ branches: [QueryCondition], _ bit: UInt64) throws -> Restriction? {
    var sources: [KeySource] = []
    var union = Restriction(source: .union([]), estimate: 0, entries: 0, used: bit, answered: bit)
    for branch in branches {
      var part = QueryDescription()
      part.condition = branch
      let search = try PlanSearch(part, binder, transaction, records: records)
      guard let found = try search.bestRestriction() else { return nil }
      if case .none = found { continue }
      if case .some(let restriction) = found {
        sources.append(restriction.source)
        union.estimate += restriction.estimate
        union.entries += restriction.entries
        if restriction.answered != search.allConjuncts { union.answered = 0 }
      }
    }
    union.source = sources.count == 1 ? sources[0] : .union(sources)
    return union
  }

  /// The bits of all conjuncts.
  var allConjuncts: UInt64 { conjuncts.count >= 64 ? .max : (1 << UInt64(conjuncts.count)) - 1 }

  /// Returns the restriction with the fewest keys.
  ///
  /// - Returns: `nil` if no tree restricts the keys, and an inner `nil` if no object can fulfil the
  ///   conditions.
  func bestRestriction() throws -> Restriction?? {
    let matches = try self.matches()
    if matches.contains(where: \.ranges.isEmpty) { return .some(nil) }
    guard let best = bestRestriction(of: try restrictions(matches)) else { return nil }
    return .some(best)
  }

  /// Returns the cheapest restriction, which may combine several.
  func bestRestriction(of restrictions: [Restriction]) -> Restriction? {
    let sorted = restrictions.sorted { $0.estimate < $1.estimate }
    guard var best = sorted.first else { return nil }
    for next in sorted.dropFirst() {
      if let both = intersection(best, next), cost(both) < cost(best) { best = both }
    }
    return best
  }

  /// Returns the keys that are in both restrictions, or `nil` if the second restriction has no effect.
  func intersection(_ first: Restriction, _ second: Restriction) -> Restriction? {
    // A conjunct that was used for both restricts the keys only once.
    guard first.used & second.used == 0 else { return nil }
    var sources = [first.source]
    if case .intersection(let known) = first.source { sources = known }
    let share = total > 0 ? Double(second.estimate) / Double(total) : 1
    return Restriction(
      source: .intersection(sources + [second.source]),
      estimate: Int(Double(first.estimate) * min(share, 1)),
      entries: first.entries + second.entries,
      used: first.used | second.used,
      answered: first.answered | second.answered
    )
  }

  private func candidates(
    _ request: any IndexRequest,
    of path: QueryPath,
    _ bit: UInt64
  ) throws -> Restriction? {
    guard let found = table.candidates(for: request, in: try binder.column(path)), found.isSearchable
    else { return nil }
    let estimate = try found.estimatedCount(in: try transaction)
    return Restriction(
      source: .candidates(found),
      estimate: min(estimate, total),
      entries: estimate,
      used: bit,
      answered: found.isExact ? bit : 0
    )
  }
}

extension QueryCondition {
  /// The property and the request of a condition that needs an index, or `nil` if the condition compares
  /// values.
  var indexRequest: (path: QueryPath, request: any IndexRequest)? {
    guard case .matches(let path, let text) = self else { return nil }
    return (path, FullTextQuery(parsing: text))
  }
}
